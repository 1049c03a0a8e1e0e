import type { Address, Hex } from '../../src/domain/hex.ts';

/** An entry that the served history must contain. */
export interface HistoryEntry {
  readonly family: string;
  readonly chainId: number;
  readonly block: number;
  readonly time: number;
  readonly type: 'deposit' | 'withdraw' | 'redeem' | 'cancel';
  readonly vault: Address;
  readonly user: Address;
  readonly assets: bigint;
  readonly shares: bigint;
  readonly tx: Hex;
  /** Allowed error of the assets: 0 for a payment, 1 for a value. */
  readonly slack?: bigint;
}

/**
 * Shares that a wallet gained or lost: a deposit with the assets paid, an exit with the assets received, received
 * shares with their value. Rounding is the dust of a claim, of either sign.
 */
export interface Move {
  readonly family: string;
  readonly chainId: number;
  readonly block: number;
  readonly time: number;
  readonly wallet: Address;
  readonly kind: 'deposit' | 'received' | 'minted' | 'sent' | 'exit' | 'rounding';
  readonly shares: bigint;
  readonly assets: bigint;
  /** Allowed error of the assets if they are a value. */
  readonly slack?: bigint;
  /** The shares of an exit are what the position lost. The vault's own amount may differ by dust. */
  readonly rough?: boolean;
}

export interface Standing {
  shares: bigint;
  cost: bigint;
  realized: bigint;
  /** Allowed error of the cost: each value of received shares may differ by one unit of rounding. */
  slack: bigint;
  /** Allowed error of cost − realized. */
  netSlack: bigint;
  /** The wallet gained and lost shares only by paying and being paid. */
  plain: boolean;
  paidIn: bigint;
  paidOut: bigint;
}

/** Records what a scenario did. */
export interface Book {
  readonly history: readonly HistoryEntry[];
  note(entry: HistoryEntry): void;
  move(move: Move): void;
  /** Removes the entries above a block after a reorg. */
  forget(chainId: number, above: number): void;
  /** Returns the average-cost position of every wallet that ever had shares of a family. */
  standings(family: string): Map<Address, Standing>;
}

export function createBook(): Book {
  let history: HistoryEntry[] = [];
  let moves: Move[] = [];
  return {
    get history() {
      return history;
    },
    note: (entry) => void history.push(entry),
    move: (move) => void moves.push(move),
    forget(chainId, above) {
      const stays = (row: { chainId: number; block: number }) =>
        row.chainId !== chainId || row.block <= above;
      history = history.filter(stays);
      moves = moves.filter(stays);
    },
    standings(family) {
      const own = moves.filter((move) => move.family === family);
      // The sort is stable, so acts in one block keep their order.
      return foldMoves(own.toSorted((a, b) => a.time - b.time || a.chainId - b.chainId));
    },
  };
}

function foldMoves(moves: readonly Move[]): Map<Address, Standing> {
  const standings = new Map<Address, Standing>();
  for (const { wallet, kind, shares, assets, slack = 0n, rough } of moves) {
    const held = standings.get(wallet) ?? newStanding();
    standings.set(wallet, held);
    if (kind === 'deposit') held.paidIn += assets;
    else if (kind === 'exit') held.paidOut += assets;
    else if (kind !== 'rounding') held.plain = false;
    held.slack += slack + (kind === 'received' || kind === 'rounding' || rough ? 1n : 0n);
    held.netSlack += slack + (kind === 'rounding' ? 1n : 0n);
    if (kind === 'rounding') {
      if (shares < 0n) held.cost -= (held.cost * -shares) / held.shares;
      held.shares += shares;
    } else if (kind === 'sent' || kind === 'exit') {
      const cost = held.shares === 0n ? 0n : (held.cost * shares) / held.shares;
      held.shares -= shares;
      held.cost -= cost;
      if (kind === 'exit') held.realized += assets - cost;
    } else {
      held.shares += shares;
      held.cost += assets;
    }
    if (held.shares > 0n || held.cost === 0n) continue;
    // A position without shares has no cost, even if a payment bought no share.
    held.cost = 0n;
    held.plain = false;
  }
  return standings;
}

function newStanding(): Standing {
  return {
    shares: 0n,
    cost: 0n,
    realized: 0n,
    slack: 0n,
    netSlack: 0n,
    plain: true,
    paidIn: 0n,
    paidOut: 0n,
  };
}
