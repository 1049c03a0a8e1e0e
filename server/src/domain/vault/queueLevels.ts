import type { QueueStep } from './waits.ts';

/** A step with the block that it was made in. */
export interface PlacedStep extends QueueStep {
  readonly block: number;
}

/** What a wallet has waiting from a block on, as is kept of vaults whose settlements name nobody. */
export interface QueueLevel {
  readonly at: number;
  readonly chainId: number;
  readonly block: number;
  readonly wallet: string;
  /** Asked to be redeemed, not settled yet. */
  readonly pending: bigint;
  /** Of cancelled requests, until they are fetched. */
  readonly returning: bigint;
}

/** What wallets have waiting, by chain and wallet; those that have nothing may be absent. */
export type HeldLevels = Map<string, Pick<QueueLevel, 'pending' | 'returning'>>;

interface Moment {
  readonly at: number;
  readonly chainId: number;
  readonly block: number;
  readonly wallet: string;
  readonly asked: PlacedStep[];
  /** Shares that a cancel gave back. */
  back: bigint;
  level: QueueLevel | undefined;
}

/**
 * The steps of a queue of which it is known what waits: a request has waited until it is settled, whenever and by
 * whom it is claimed. `told` are the requests and cancels, in their order. `held` goes on from what it was before them.
 */
export function settledSteps(
  told: readonly PlacedStep[],
  levels: readonly QueueLevel[],
  held: HeldLevels = new Map(),
): QueueStep[] {
  const steps: QueueStep[] = [];
  for (const { at, chainId, wallet, asked, back, level } of momentsOf(told, levels)) {
    const key = `${chainId} ${wallet}`;
    const before = held.get(key) ?? { pending: 0n, returning: 0n };
    const after = level ?? before;
    if (after.pending + after.returning > 0n) held.set(key, after);
    else held.delete(key);
    const gone = asked.reduce((sum, { shares }) => sum + shares, before.pending) - after.pending;
    const cancelled = within(back + after.returning - before.returning, gone);
    steps.push(...asked);
    const step = { at, chainId, wallet, assets: null };
    // The vault's word counts, also where no request was seen.
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

/** What is known of each wallet at each block, in order. */
function momentsOf(told: readonly PlacedStep[], levels: readonly QueueLevel[]): Moment[] {
  const moments = new Map<string, Moment>();
  for (const step of told) {
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
