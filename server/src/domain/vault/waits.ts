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

/** A queue that is gone through step by step. */
export interface WaitsFold {
  /** What comes next, in order. */
  add(steps: Iterable<QueueStep>): void;
  measure(): Waits;
  /** What still waits, as steps that lead to it: another fold may go on from there. */
  open(): QueueStep[];
}

/**
 * How long requests waited until they were paid, first in first out for each receiver on each chain. A payment to a
 * wallet without a request is an exit at once, and a cancel takes back the newest.
 */
export function createWaits(since: number): WaitsFold {
  const queues = new Map<string, Queue>();
  const paid: Wait[] = [];
  let requests = 0;
  let order = 0;

  function pay(queue: Queue, { at, shares }: QueueStep): void {
    for (const { request, part } of takeFrom(queue, shares, 'oldest')) {
      if (at <= since) continue;
      paid.push({ seconds: at - request.step.at, shares: part });
      if (!request.isCounted) requests++;
      request.isCounted = true;
    }
  }

  function addStep(step: QueueStep): void {
    const key = `${step.chainId} ${step.wallet}`;
    const known = queues.get(key);
    if (step.type === 'redeem') {
      const queue = known ?? { requests: [], shares: 0n, assets: 0n };
      if (known === undefined) queues.set(key, queue);
      add(queue, step, order++);
    } else if (known !== undefined) {
      if (step.type === 'cancel') takeFrom(known, step.shares, 'newest');
      else pay(known, step);
      if (known.requests.length === 0) queues.delete(key);
    }
  }

  return {
    add(steps) {
      for (const step of steps) addStep(step);
    },
    measure: () => ({ paid, requests, waiting: oldestFirst(queues.values()).map(waitingIn) }),
    open: () => oldestFirst(queues.values()).map(asStep),
  };
}

/** The same of steps that are all there. */
export function measureWaits(steps: Iterable<QueueStep>, since: number): Waits {
  const fold = createWaits(since);
  fold.add(steps);
  return fold.measure();
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

interface OpenRequest {
  readonly queue: Queue;
  readonly request: Request;
}

function oldestFirst(queues: Iterable<Queue>): OpenRequest[] {
  const open = [...queues].flatMap((queue) =>
    queue.requests.map((request) => ({ queue, request })),
  );
  return open.sort(({ request: a }, { request: b }) => a.step.at - b.step.at || a.order - b.order);
}

function waitingIn({ queue, request: { step, shares } }: OpenRequest): WaitingRequest {
  return {
    since: step.at,
    chainId: step.chainId,
    wallet: step.wallet,
    shares,
    assets: queue.assets === null ? null : mulDivDown(queue.assets, shares, queue.shares),
  };
}

/** A queue knows the assets of all its requests together: the first stands for them, so that nothing is rounded. */
function asStep({ queue, request }: OpenRequest): QueueStep {
  const assets = request === queue.requests[0] ? queue.assets : 0n;
  return { ...request.step, shares: request.shares, assets };
}

/** What stands before a wallet in a queue. */
export interface PlaceInQueue {
  /** Shares that the wallet itself has waiting. */
  readonly own: bigint;
  /** What its own requests reserved; null when that is not known of one of them. */
  readonly ownAssets: bigint | null;
  /** Shares of others that were asked for before the last of its requests. */
  readonly shares: bigint;
  /** What those requests reserved; null when that is not known of one of them. */
  readonly assets: bigint | null;
}

/**
 * Tells of each wallet what others asked for before the last of its requests: all that is paid before the wallet has
 * everything, first in first out. `waiting` is the queue of one chain, oldest first.
 */
export function createPlaces(waiting: readonly WaitingRequest[]): (wallet: string) => PlaceInQueue {
  const places = new Map<
    string,
    Omit<PlaceInQueue, 'ownAssets'> & { readonly ownAssets: bigint; readonly ownUnknown: number }
  >();
  let shares = 0n;
  let assets = 0n;
  let unknown = 0;
  for (const request of waiting) {
    const held = places.get(request.wallet);
    const own = held?.own ?? 0n;
    const ownAssets = held?.ownAssets ?? 0n;
    const ownUnknown = held?.ownUnknown ?? 0;
    places.set(request.wallet, {
      own: own + request.shares,
      ownAssets: ownAssets + (request.assets ?? 0n),
      ownUnknown: ownUnknown + (request.assets === null ? 1 : 0),
      shares: shares - own,
      assets: unknown > ownUnknown ? null : assets - ownAssets,
    });
    shares += request.shares;
    assets += request.assets ?? 0n;
    if (request.assets === null) unknown++;
  }
  return (wallet) => {
    const place = places.get(wallet);
    if (place === undefined) return NOWHERE;
    const { own, shares: before, assets: worth, ownAssets, ownUnknown } = place;
    return { own, ownAssets: ownUnknown > 0 ? null : ownAssets, shares: before, assets: worth };
  };
}

const NOWHERE: PlaceInQueue = { own: 0n, ownAssets: 0n, shares: 0n, assets: 0n };

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
