/** Shares that a router holds within one transaction: who gave them, or what it paid for them itself. */
export interface Tray {
  put(giver: string | null, shares: bigint, assets: bigint): void;
  /** At most so many shares, the first that came going first, each with its part of what was paid. */
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
