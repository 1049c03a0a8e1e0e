import type { QueueStep } from './waits.ts';

/** A step with its block. */
export interface PlacedStep extends QueueStep {
  readonly block: number;
}

/** A wallet's queue from a block on, for vaults whose settlement events name no wallet. */
export interface QueueLevel {
  readonly at: number;
  readonly chainId: number;
  readonly block: number;
  readonly wallet: string;
  /** Requested, not settled yet. */
  readonly pending: bigint;
  /** Of cancelled requests, until they are collected. */
  readonly returning: bigint;
}

/** Queues by chain and wallet. Wallets without a queue may be missing. */
export type HeldLevels = Map<string, Pick<QueueLevel, 'pending' | 'returning'>>;

interface Moment {
  readonly at: number;
  readonly chainId: number;
  readonly block: number;
  readonly wallet: string;
  readonly asked: PlacedStep[];
  /** Shares returned by a cancellation. */
  back: bigint;
  level: QueueLevel | undefined;
}

/**
 * Derives the steps of a queue whose levels are known. A request is pending until it is settled, regardless of when and
 * by whom it is claimed. `requests` includes cancellations, in order. `held` is updated from its earlier state.
 */
export function settledSteps(
  requests: readonly PlacedStep[],
  levels: readonly QueueLevel[],
  held: HeldLevels = new Map(),
): QueueStep[] {
  const steps: QueueStep[] = [];
  for (const { at, chainId, wallet, asked, back, level } of momentsOf(requests, levels)) {
    const key = `${chainId} ${wallet}`;
    const before = held.get(key) ?? { pending: 0n, returning: 0n };
    const after = level ?? before;
    if (after.pending + after.returning > 0n) held.set(key, after);
    else held.delete(key);
    const gone = asked.reduce((sum, { shares }) => sum + shares, before.pending) - after.pending;
    const cancelled = within(back + after.returning - before.returning, gone);
    steps.push(...asked);
    const step = { at, chainId, wallet, assets: null };
    // The level of the vault counts, even without an observed request.
    if (gone < 0n) steps.push({ ...step, type: 'redeem', shares: -gone });
    if (cancelled > 0n) steps.push({ ...step, type: 'cancel', shares: cancelled });
    if (gone > cancelled) steps.push({ ...step, type: 'withdraw', shares: gone - cancelled });
  }
  return steps;
}

function within(amount: bigint, most: bigint): bigint {
  const bounded = amount < most ? amount : most;
  return bounded > 0n ? bounded : 0n;
}

/** Returns what is known of each wallet at each block, in order. */
function momentsOf(requests: readonly PlacedStep[], levels: readonly QueueLevel[]): Moment[] {
  const moments = new Map<string, Moment>();
  for (const step of requests) {
    if (step.type === 'redeem') momentOf(step).asked.push(step);
    if (step.type === 'cancel') momentOf(step).back += step.shares;
  }
  for (const level of levels) momentOf(level).level = level;
  return [...moments.values()].sort(
    (a, b) => a.at - b.at || a.chainId - b.chainId || a.block - b.block,
  );

  function momentOf({ at, chainId, block, wallet }: PlacedStep | QueueLevel): Moment {
    const key = `${chainId} ${block} ${wallet}`;
    const known = moments.get(key);
    if (known !== undefined) return known;
    const moment = { at, chainId, block, wallet, asked: [], back: 0n, level: undefined };
    moments.set(key, moment);
    return moment;
  }
}
