import type { Address } from '../hex.ts';

/**
 * Whose shares custody accounts hold, for vaults that have no word for it: who brought them. What leaves to somebody
 * who brought none, or too few, is taken from those who came first.
 */
export interface TransferBook {
  put(wallet: Address, shares: bigint): void;
  /** Whose shares these were, `wallet`'s own first; together fewer where nobody brought so many. */
  take(wallet: Address, shares: bigint): { readonly wallet: Address; readonly shares: bigint }[];
  /** Entries that changed since the last time it was asked. */
  changes(): ReadonlyMap<Address, bigint>;
}

export function createTransferBook(held: ReadonlyMap<Address, bigint>): TransferBook {
  const entries = new Map(held);
  let changed = new Set<Address>();

  return {
    put(wallet, shares) {
      changed.add(wallet);
      entries.set(wallet, (entries.get(wallet) ?? 0n) + shares);
    },
    take(wallet, shares) {
      const parts: { wallet: Address; shares: bigint }[] = [];
      let missing = shares;
      for (const owner of [wallet, ...entries.keys()]) {
        if (missing === 0n) break;
        const own = entries.get(owner) ?? 0n;
        const taken = own < missing ? own : missing;
        if (taken === 0n) continue;
        parts.push({ wallet: owner, shares: taken });
        changed.add(owner);
        missing -= taken;
        if (own === taken) entries.delete(owner);
        else entries.set(owner, own - taken);
      }
      return parts;
    },
    changes() {
      // As the store orders them when they are read again: who changed last stands last, of one block by address.
      const told = new Map([...changed].sort().map((one) => [one, entries.get(one) ?? 0n]));
      for (const [wallet, shares] of told) {
        entries.delete(wallet);
        if (shares > 0n) entries.set(wallet, shares);
      }
      changed = new Set();
      return told;
    },
  };
}
