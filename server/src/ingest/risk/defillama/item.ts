import type { RiskRecord } from '../../../domain/risk/record.ts';

/** What one item of a list gives: records, or a reason why it gives none. */
export type Mapped =
  | {
      readonly records: readonly RiskRecord[];
      /** Nodes that the records point to, for when nobody else knows them. */
      readonly spokenOf?: readonly RiskRecord[];
    }
  | { readonly skip: string };

/** Says of an item that is kept what is odd about it. */
export type Note = (what: string, detail?: string) => void;

/** What lists say of each other's items, gathered while they are read. */
export interface SourceNames {
  /** Slug of a protocol by its id at the source. */
  readonly protocolById: Map<string, string>;
  /** Every protocol slug of the list that is being read. */
  readonly protocols: Set<string>;
  /** Slug of the protocol that issues a stablecoin, by the coin's id at the market-data provider. */
  readonly issuerByGeckoId: Map<string, string>;
  /** Slugs of the exchanges whose liquidity is concentrated. */
  readonly concentrated: Set<string>;
  /** Pool addresses that several pools of the list share. */
  readonly sharedAddresses: Set<string>;
}

export function createSourceNames(): SourceNames {
  return {
    protocolById: new Map(),
    protocols: new Set(),
    issuerByGeckoId: new Map(),
    concentrated: new Set(),
    sharedAddresses: new Set(),
  };
}

export interface MapContext {
  /** Unix seconds. */
  readonly now: number;
  readonly note: Note;
  readonly names: SourceNames;
  /** Whether another source knows the node. */
  readonly known: { has(id: string): boolean };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
