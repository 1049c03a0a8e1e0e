import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';

/** Shares that a wallet gained or lost, with what they cost or brought. */
export interface Movement {
  readonly place: LogPlace;
  /** Order among the movements of one log. */
  readonly part: number;
  readonly wallet: Address;
  readonly kind: MovementKind;
  readonly shares: bigint;
  /** Paid for a deposit, received for an exit, value of shares received; 0 for shares sent. */
  readonly assets: bigint;
  /** Set if the assets are unknown, and 0 here: the shares had no price yet. Only set while it is interpreted. */
  readonly isUnpriced?: true;
  /** Null where several transactions of the block may have caused it. Only set while it is interpreted. */
  readonly txHash?: Hex | null;
}

export type MovementKind = 'deposit' | 'exit' | 'received' | 'sent';

/** Takes movements down in order, and numbers those of one log. */
export interface MovementList {
  readonly all: readonly Movement[];
  /** Sets the transaction of the movements that follow. */
  setTransaction(txHash: Hex | null): void;
  push(
    place: LogPlace,
    wallet: Address,
    kind: MovementKind,
    shares: bigint,
    /** Null: unknown. */
    assets: bigint | null,
  ): void;
}

export function createMovementList(): MovementList {
  const all: Movement[] = [];
  let last: LogPlace | undefined;
  let part = 0;
  let txHash: Hex | null = null;
  return {
    all,
    setTransaction(next) {
      txHash = next;
    },
    push(place, wallet, kind, shares, assets) {
      if (shares === 0n && (assets ?? 0n) === 0n) return;
      part = isSame(last, place) ? part + 1 : 0;
      last = place;
      const unpriced = assets === null ? ({ isUnpriced: true } as const) : {};
      all.push({ place, part, wallet, kind, shares, assets: assets ?? 0n, txHash, ...unpriced });
    },
  };
}

function isSame(a: LogPlace | undefined, b: LogPlace): boolean {
  return a?.blockNumber === b.blockNumber && a.logIndex === b.logIndex;
}
