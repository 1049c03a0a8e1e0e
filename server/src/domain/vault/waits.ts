/** A step of a wallet in a vault's queue, on one chain. */
export interface QueueStep {
  readonly at: number;
  readonly chainId: number;
  readonly wallet: string;
  readonly type: 'redeem' | 'withdraw' | 'cancel';
  readonly shares: bigint;
}

/** Shares that waited for so many seconds. */
export interface Wait {
  readonly seconds: number;
  readonly shares: bigint;
}

export interface Waits {
  /** Of what was paid after `since`. */
  readonly paid: readonly Wait[];
  /** Requests of which something was paid after `since`. */
  readonly requests: number;
  /** What still waits, oldest first. */
  readonly waiting: readonly { readonly since: number; readonly shares: bigint }[];
}

interface Request {
  readonly at: number;
  shares: bigint;
  isCounted: boolean;
}

/**
 * How long requests waited until they were paid, first in first out for each receiver on each chain. `steps` come in
 * their order. A payment to a wallet without a request is an exit at once, and a cancel takes back the newest.
 */
export function measureWaits(steps: Iterable<QueueStep>, since: number): Waits {
  const queues = new Map<string, Request[]>();
  const paid: Wait[] = [];
  let requests = 0;
  for (const { at, chainId, wallet, type, shares } of steps) {
    const key = `${chainId} ${wallet}`;
    const queue = queues.get(key) ?? [];
    queues.set(key, queue);
    if (type === 'redeem') queue.push({ at, shares, isCounted: false });
    else if (type === 'cancel') takeBack(queue, shares);
    else pay(queue, at, shares);
  }
  const waiting = [...queues.values()].flat().map(({ at, shares }) => ({ since: at, shares }));
  waiting.sort((a, b) => a.since - b.since);
  return { paid, requests, waiting };

  function pay(queue: Request[], at: number, shares: bigint): void {
    let left = shares;
    while (left > 0n && queue.length > 0) {
      const request = queue[0]!;
      const part = request.shares < left ? request.shares : left;
      left -= part;
      request.shares -= part;
      if (at > since) {
        paid.push({ seconds: at - request.at, shares: part });
        if (!request.isCounted) requests++;
        request.isCounted = true;
      }
      if (request.shares === 0n) queue.shift();
    }
  }
}

function takeBack(queue: Request[], shares: bigint): void {
  let left = shares;
  while (left > 0n && queue.length > 0) {
    const request = queue[queue.length - 1]!;
    const part = request.shares < left ? request.shares : left;
    left -= part;
    request.shares -= part;
    if (request.shares === 0n) queue.pop();
  }
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
