import type { Grade, Label } from './graph.ts';

/** A node as the search sees it. */
export interface SearchDoc {
  readonly id: string;
  readonly label: Label;
  readonly name: string;
  readonly symbol?: string | undefined;
  /** Of any chain, as it is written there; those of EVM chains in lower case. */
  readonly address?: string | undefined;
  /** The identifier at its source; not looked at where there is an address. */
  readonly uniqueKey?: string | undefined;
  readonly network: string;
  /** TVL, or the market cap of an asset, in USD; null when unknown. */
  readonly value: number | null;
  /** USD of what depends on it: says how much it matters where its own value is not known. */
  readonly weight?: number | undefined;
  readonly grade: Grade;
}
