import { mulDivDown } from '../amount.ts';
import type { Address } from '../hex.ts';

/** Shares that a router holds within one transaction, and whose they were. */
export interface Lot {
  /** Null: nobody's before; the router deposited them for someone. */
  readonly from: Address | null;
  readonly shares: bigint;
  /** What they cost, where the router deposited them; null if that is unknown. */
  readonly assets: bigint | null;
}

export interface Lots {
  put(from: Address | null, shares: bigint, assets: bigint | null): void;
  /** The oldest lots up to so many shares; together fewer where the router holds fewer. */
  take(shares: bigint): Lot[];
  clear(): void;
}

export function createLots(): Lots {
  const held: { from: Address | null; shares: bigint; assets: bigint | null }[] = [];
  return {
    put(from, shares, assets) {
      // A lot of no shares has nothing to hand on, and nothing to divide by.
      if (shares > 0n) held.push({ from, shares, assets });
    },
    take(shares) {
      const taken: Lot[] = [];
      let missing = shares;
      while (missing > 0n && held.length > 0) {
        const lot = held[0]!;
        const part = lot.shares < missing ? lot.shares : missing;
        const cost = lot.assets === null ? null : mulDivDown(lot.assets, part, lot.shares);
        taken.push({ from: lot.from, shares: part, assets: cost });
        lot.shares -= part;
        if (lot.assets !== null) lot.assets -= cost!;
        missing -= part;
        if (lot.shares === 0n) held.shift();
      }
      return taken;
    },
    clear() {
      held.length = 0;
    },
  };
}
