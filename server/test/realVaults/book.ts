import type { Address, Hex } from '../../src/domain/hex.ts';

/** Something that history must show. */
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
  /** How far the assets may be off: 0 where they were paid, 1 where they are a value. */
  readonly slack?: bigint;
}

/**
 * Shares that a wallet gained or lost: a deposit with the assets paid, an exit with what it brought, received with
 * what they were worth. Rounding is dust of a claim, of either sign.
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
  /** How far the assets may be off, where they are a value. */
  readonly slack?: bigint;
  /** The shares of an exit are what the position lost; the vault itself may name some dust more or less. */
  readonly rough?: boolean;
}

export interface Standing {
  shares: bigint;
  cost: bigint;
  realized: bigint;
  /** How far cost may be off: each value of received shares may be rounded otherwise by one unit. */
  slack: bigint;
  /** How far cost − realized may be off. */
  netSlack: bigint;
  /** Never sent or received shares otherwise than by paying and being paid. */
  plain: boolean;
  paidIn: bigint;
  paidOut: bigint;
}

/** What a scenario did, kept by whoever played it. */
export interface Book {
  readonly history: readonly HistoryEntry[];
  note(entry: HistoryEntry): void;
  move(move: Move): void;
  /** Forgets what stood above a block: it was taken back. */
  forget(chainId: number, above: number): void;
  /** Average cost of every wallet that ever had shares of a family. */
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
      // Stable: within a block they stay in the order of the acts.
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
    // Nothing held has no cost, also where a whole payment bought nothing.
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
