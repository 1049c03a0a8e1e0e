import type { RecordNames, RiskRecord } from '../../../domain/risk/record.ts';

/** The result of one item of a list: records, or the reason why there are none. */
export type Mapped =
  | {
      readonly records: readonly RiskRecord[];
      /** Nodes that the records reference; created if no earlier source has them. */
      readonly spokenOf?: readonly RiskRecord[];
    }
  | { readonly skip: string };

/** Notes something unusual about an item that is imported. */
export type Note = (what: string, detail?: string) => void;

/**
 * Facts of the list of protocols that other lists need, collected while it is read, or loaded from its stored records.
 */
export interface SourceNames {
  /** The facts to store with each protocol, by its slug. */
  readonly ofProtocol: Map<string, Required<RecordNames>>;
  /** Slug of a protocol by its id in the source. */
  readonly protocolById: Map<string, string>;
  /** Every protocol slug of the current list. */
  readonly protocols: Set<string>;
  /** Slug of the protocol that issues a stablecoin, by the coin's id at the market-data provider. */
  readonly issuerByGeckoId: Map<string, string>;
  /** Slug of the bridge that names a stablecoin, by the same id. */
  readonly carrierByGeckoId: Map<string, string>;
  /** Slugs of the exchanges whose liquidity is concentrated. */
  readonly concentrated: Set<string>;
  /** Pool addresses that several pools of the list share. */
  readonly sharedAddresses: Set<string>;
  /** Value and yearly earnings of the large pools of each protocol, by its slug; USD. */
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

/** Adds the facts of one protocol item. If two items have one id, the first keeps it. */
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

/** The first by name, so that the result does not depend on the order of the list. */
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
  /** Whether an earlier source has the node. */
  readonly known: { has(id: string): boolean };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
