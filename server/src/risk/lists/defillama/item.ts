import type { RecordNames, RiskRecord } from '../../../domain/risk/record.ts';

/** What one item of a list gives: records, or a reason why it gives none. */
export type Mapped =
  | {
      readonly records: readonly RiskRecord[];
      /** Nodes that the records point to, for when no source before knows them. */
      readonly spokenOf?: readonly RiskRecord[];
    }
  | { readonly skip: string };

/** Says of an item that is kept what is odd about it. */
export type Note = (what: string, detail?: string) => void;

/** What the list of protocols says that other lists need, collected as it is read or from what is kept of it. */
export interface SourceNames {
  /** What to keep with each protocol, by its slug. */
  readonly ofProtocol: Map<string, Required<RecordNames>>;
  /** Slug of a protocol by its id at the source. */
  readonly protocolById: Map<string, string>;
  /** Every protocol slug of the list that is being read. */
  readonly protocols: Set<string>;
  /** Slug of the protocol that issues a stablecoin, by the coin's id at the market-data provider. */
  readonly issuerByGeckoId: Map<string, string>;
  /** The same of the bridge that names it. */
  readonly carrierByGeckoId: Map<string, string>;
  /** Slugs of the exchanges whose liquidity is concentrated. */
  readonly concentrated: Set<string>;
  /** Pool addresses that several pools of the list share. */
  readonly sharedAddresses: Set<string>;
  /** What the large pools of each protocol hold and earn in a year, by its slug; USD. */
  readonly poolYields: Map<string, { readonly heldUsd: number; readonly earnedUsd: number }>;
}

export function createSourceNames(): SourceNames {
  return {
    ofProtocol: new Map(),
    protocolById: new Map(),
    protocols: new Set(),
    issuerByGeckoId: new Map(),
    carrierByGeckoId: new Map(),
    concentrated: new Set(),
    sharedAddresses: new Set(),
    poolYields: new Map(),
  };
}

/** Adds what one item says of a protocol; an id that is taken stays with whom it was given to first. */
export function addNames(names: SourceNames, slug: string, said: RecordNames): void {
  const { ids = [], issues = [], carries = [], concentrated = false } = said;
  const fresh = ids.filter((id) => !names.protocolById.has(id));
  for (const id of fresh) names.protocolById.set(id, slug);
  for (const coin of issues) claim(names.issuerByGeckoId, coin, slug);
  for (const coin of carries) claim(names.carrierByGeckoId, coin, slug);
  if (concentrated) names.concentrated.add(slug);
  names.protocols.add(slug);
  const held = names.ofProtocol.get(slug);
  names.ofProtocol.set(slug, {
    ids: united(held?.ids, fresh),
    issues: united(held?.issues, issues),
    carries: united(held?.carries, carries),
    concentrated: concentrated || held?.concentrated === true,
  });
}

/** Of several the first by name, so that the order of a list does not matter. */
function claim(owners: Map<string, string>, coin: string, slug: string): void {
  const held = owners.get(coin);
  if (held === undefined || slug < held) owners.set(coin, slug);
}

function united(held: readonly string[] = [], added: readonly string[]): readonly string[] {
  return added.length === 0 ? held : [...new Set([...held, ...added])].sort();
}

export interface MapContext {
  /** Unix seconds. */
  readonly now: number;
  readonly note: Note;
  readonly names: SourceNames;
  /** Whether a source before this one knows the node. */
  readonly known: { has(id: string): boolean };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
