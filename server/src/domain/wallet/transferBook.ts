import type { Address } from '../hex.ts';

/**
 * Attributes shares in custody accounts to the wallets that transferred them in, for vaults that do not report owners.
 * Shares that leave to a wallet without enough of its own are taken from the earliest wallets.
 */
export interface TransferBook {
  put(wallet: Address, shares: bigint): void;
  /** Returns the owners of shares that leave, `wallet` first; together fewer if not enough were transferred in. */
  take(wallet: Address, shares: bigint): { readonly wallet: Address; readonly shares: bigint }[];
  /** Returns the entries that changed since the last call. */
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
      // In the order in which the store returns them: last change last, within one block by address.
      const credited = new Map([...changed].sort().map((one) => [one, entries.get(one) ?? 0n]));
      for (const [wallet, shares] of credited) {
        entries.delete(wallet);
        if (shares > 0n) entries.set(wallet, shares);
      }
      changed = new Set();
      return credited;
    },
  };
}
