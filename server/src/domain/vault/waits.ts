import { mulDivDown } from '../amount.ts';

/** A step of a wallet in a vault's queue, on one chain. */
export interface QueueStep {
  readonly at: number;
  readonly chainId: number;
  readonly wallet: string;
  /** `withdraw`: it was paid, or became claimable. */
  readonly type: 'redeem' | 'withdraw' | 'cancel';
  readonly shares: bigint;
  /** Of a request: what it reserved, or was worth; null when that is not known. */
  readonly assets: bigint | null;
}

/** Shares that waited for so many seconds. */
export interface Wait {
  readonly seconds: number;
  readonly shares: bigint;
}

/** What of a request still waits. */
export interface WaitingRequest {
  readonly since: number;
  readonly chainId: number;
  readonly wallet: string;
  readonly shares: bigint;
  readonly assets: bigint | null;
}

export interface Waits {
  /** Of what was paid after `since`. */
  readonly paid: readonly Wait[];
  /** Requests of which something was paid after `since`. */
  readonly requests: number;
  /** What still waits, oldest first. */
  readonly waiting: readonly WaitingRequest[];
}

interface Request {
  readonly step: QueueStep;
  /** Its place among all steps. */
  readonly order: number;
  shares: bigint;
  isCounted: boolean;
}

/** What a receiver has waiting on a chain. Vaults keep one entry for each: its assets go in proportion to its shares. */
interface Queue {
  readonly requests: Request[];
  shares: bigint;
  assets: bigint | null;
}

/**
 * How long requests waited until they were paid, first in first out for each receiver on each chain. `steps` come in
 * their order. A payment to a wallet without a request is an exit at once, and a cancel takes back the newest.
 */
export function measureWaits(steps: Iterable<QueueStep>, since: number): Waits {
  const queues = new Map<string, Queue>();
  const paid: Wait[] = [];
  let requests = 0;
  let order = 0;
  for (const step of steps) {
    const key = `${step.chainId} ${step.wallet}`;
    const queue = queues.get(key) ?? { requests: [], shares: 0n, assets: 0n };
    queues.set(key, queue);
    if (step.type === 'redeem') add(queue, step, order++);
    else if (step.type === 'cancel') takeFrom(queue, step.shares, 'newest');
    else pay(queue, step);
  }
  return { paid, requests, waiting: waitingIn(queues.values()) };

  function pay(queue: Queue, { at, shares }: QueueStep): void {
    for (const { request, part } of takeFrom(queue, shares, 'oldest')) {
      if (at <= since) continue;
      paid.push({ seconds: at - request.step.at, shares: part });
      if (!request.isCounted) requests++;
      request.isCounted = true;
    }
  }
}

function add(queue: Queue, step: QueueStep, order: number): void {
  const { shares, assets } = step;
  queue.requests.push({ step, order, shares, isCounted: false });
  queue.shares += shares;
  queue.assets = queue.assets === null || assets === null ? null : queue.assets + assets;
}

/** Less where less waits. */
function takeFrom(queue: Queue, shares: bigint, from: 'oldest' | 'newest') {
  const { requests } = queue;
  const taken: { readonly request: Request; readonly part: bigint }[] = [];
  let left = shares;
  while (left > 0n && requests.length > 0) {
    const request = from === 'oldest' ? requests[0]! : requests.at(-1)!;
    const part = request.shares < left ? request.shares : left;
    left -= part;
    request.shares -= part;
    taken.push({ request, part });
    if (request.shares > 0n) continue;
    if (from === 'oldest') requests.shift();
    else requests.pop();
  }
  const gone = shares - left;
  if (requests.length === 0) queue.assets = 0n;
  else if (queue.assets !== null) queue.assets -= mulDivDown(queue.assets, gone, queue.shares);
  queue.shares -= gone;
  return taken;
}

/** Oldest first. */
function waitingIn(queues: Iterable<Queue>): WaitingRequest[] {
  const open = [...queues].flatMap((queue) =>
    queue.requests.map((request) => ({ queue, request, at: request.step.at })),
  );
  open.sort((a, b) => a.at - b.at || a.request.order - b.request.order);
  return open.map(({ queue, request: { step, shares } }) => ({
    since: step.at,
    chainId: step.chainId,
    wallet: step.wallet,
    shares,
    assets: queue.assets === null ? null : mulDivDown(queue.assets, shares, queue.shares),
  }));
}

/**
 * What others asked for before the last of a wallet's requests on a chain: all that is paid before the wallet has
 * everything, first in first out. `own` is what the wallet itself has waiting there.
 */
export function queuedBefore(
  waiting: readonly WaitingRequest[],
  chainId: number,
  wallet: string,
): { readonly own: bigint; readonly before: readonly WaitingRequest[] } {
  const there = waiting.filter((one) => one.chainId === chainId);
  const last = there.findLastIndex((one) => one.wallet === wallet);
  const own = there.filter((one) => one.wallet === wallet);
  return {
    own: own.reduce((sum, { shares }) => sum + shares, 0n),
    before: there.slice(0, Math.max(last, 0)).filter((one) => one.wallet !== wallet),
  };
}

/**
 * The wait that a part of all shares did not exceed: `percent` 50 is the median, weighted by shares. Null where
 * nothing was paid.
 */
export function waitPercentile(waits: readonly Wait[], percent: number): number | null {
  const sorted = [...waits].sort((a, b) => a.seconds - b.seconds);
  const total = sorted.reduce((sum, { shares }) => sum + shares, 0n);
  if (total === 0n) return null;
  let below = 0n;
  for (const { seconds, shares } of sorted) {
    below += shares;
    if (below * 100n >= total * BigInt(percent)) return seconds;
  }
  return null;
}
