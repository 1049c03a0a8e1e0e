/**
 * Shares that a router holds within one transaction, with the wallet that gave them or the price that the router paid.
 */
export interface Tray {
  put(giver: string | null, shares: bigint, assets: bigint): void;
  /** Takes at most this many shares, first in, first out, each lot with its part of the payment. */
  take(shares: bigint): readonly Taken[];
}

export interface Taken {
  readonly giver: string | null;
  readonly shares: bigint;
  readonly cost: bigint;
}

export function createTray(): Tray {
  let heap: { giver: string | null; shares: bigint; assets: bigint }[] = [];
  return {
    put(giver, shares, assets) {
      if (shares > 0n) heap.push({ giver, shares, assets });
    },
    take(wanted) {
      let open = wanted;
      const taken = heap.map((lot) => {
        const shares = lot.shares < open ? lot.shares : open;
        const cost = (lot.assets * shares) / lot.shares;
        open -= shares;
        lot.shares -= shares;
        lot.assets -= cost;
        return { giver: lot.giver, shares, cost };
      });
      heap = heap.filter((lot) => lot.shares > 0n);
      return taken.filter(({ shares }) => shares > 0n);
    },
  };
}
