import type { ChainClient, RawLog } from './chainClient.ts';
import { RpcError, StateUnavailable } from './rpcError.ts';
import { createUrlLimits, type UrlLimits } from './urlLimits.ts';

/** How far back one URL is known to have contract state, or logs. */
export interface Depth {
  /** Whether a read this far below the head is worthwhile. */
  mayHave(depth: number, now: number): boolean;
  had(depth: number): void;
  /** It failed in every attempt. */
  lacked(depth: number, now: number): void;
  /** Whether it has returned data this deep. */
  hasShown(depth: number): boolean;
  /** The shallowest depth that it lacks; null if it has lacked nothing since the start. */
  lacks(): number | null;
  /** Whether it lacked this depth before a restart, and was not read since. */
  lackedBefore(depth: number): boolean;
}

export interface DepthOptions {
  /** The shallowest depth that it lacked before a restart. */
  readonly learned?: number | null;
  /** Called with the shallowest depth that it lacks; null: it lacks nothing. */
  readonly onLearned?: (lacking: number | null) => void;
}

/** How often missing data is requested again: a plan may change, or an RPC endpoint be replaced. */
const RETRY_MS = 10_000;

export function createDepth({ learned = null, onLearned }: DepthOptions = {}): Depth {
  let deepest = -1;
  /** A plan may have changed since the restart: remembered depths only affect the order. */
  let remembered = learned ?? Number.POSITIVE_INFINITY;
  let lacking = Number.POSITIVE_INFINITY;
  let lackedAt = Number.NEGATIVE_INFINITY;
  return {
    mayHave: (depth, now) => depth < lacking || now - lackedAt >= RETRY_MS,
    had(depth) {
      deepest = Math.max(deepest, depth);
      if (depth < lacking && depth < remembered) return;
      lacking = Number.POSITIVE_INFINITY;
      remembered = Number.POSITIVE_INFINITY;
      onLearned?.(null);
    },
    lacked(depth, now) {
      lacking = Math.min(lacking, depth);
      remembered = Number.POSITIVE_INFINITY;
      onLearned?.(lacking);
      if (deepest >= depth) deepest = depth - 1;
      lackedAt = now;
    },
    hasShown: (depth) => deepest >= depth,
    lacks: () => (lacking === Number.POSITIVE_INFINITY ? null : lacking),
    lackedBefore: (depth) => depth >= remembered,
  };
}

/** What is known about a URL's historical data. */
export interface Keeps {
  readonly state: Depth;
  readonly logs: Depth;
  /** Several RPC endpoints with different history are behind it. */
  uneven: boolean;
  /** It has returned a result without logs that it had a moment later. */
  lossy: boolean;
}

/** The depths start as they were learned before, and are written back as they change. */
export function createKeeps(
  limits: Pick<UrlLimits, 'stateDepth' | 'logDepth'> = createUrlLimits(),
): Keeps {
  const depthOf = (name: 'stateDepth' | 'logDepth') =>
    createDepth({
      learned: limits[name],
      onLearned: (lacking) => {
        limits[name] = lacking;
      },
    });
  return { state: depthOf('stateDepth'), logs: depthOf('logDepth'), uneven: false, lossy: false };
}

/** One URL, as far as historical reads need it. */
export interface DeepUpstream {
  readonly client: ChainClient;
  /** Its head as last reported; null while unknown. */
  readonly head: number | null;
  readonly keeps: Keeps;
  failed(error: RpcError): void;
}

/** The URL turned out to be several RPC endpoints: earlier reads are repeated with more care. */
export class NodesDiffer extends RpcError {
  readonly retry = true;

  constructor(upstream: number) {
    super(upstream, `rpc ${upstream} balances over RPC endpoints with different history`);
  }
}

/**
 * One URL may be several RPC endpoints with different history: missing data counts after this many failures in a row.
 */
const TRIES = 3;
/** The same for a URL that has returned data as deep before. */
const TRIES_IF_SHOWN = 12;
/** How often an empty result is requested again: RPC endpoints without a block may return no logs. */
const EMPTY_ANSWERS = 4;
const EMPTY_ANSWERS_IF_LOSSY = 8;

/**
 * Reads blocks that are final. What the current client lacks is read from the other URLs. Throws StateUnavailable if
 * none has it.
 */
export function createDeepReads(options: {
  readonly current: DeepUpstream;
  /** The other URLs that can be read now. */
  readonly others: () => readonly DeepUpstream[];
  readonly now: () => number;
}): ChainClient {
  const { current, others, now } = options;
  const { client } = current;

  return {
    ...client,
    logs: (range) =>
      readFromAny('logs', range.fromBlock, (one, keeps) => readLogs(one, keeps, range)),
    call: (call, block) => readFromAny('state', block, (one) => one.call(call, block)),
    code: (address, block) => readFromAny('state', block, (one) => one.code(address, block)),
    storageAt: (address, slot, block) =>
      readFromAny('state', block, (one) => one.storageAt(address, slot, block)),
    multicall: (calls, block) => readFromAny('state', block, (one) => one.multicall(calls, block)),
  };

  async function readFromAny<T>(
    kind: 'state' | 'logs',
    block: number,
    read: (client: ChainClient, keeps: Keeps) => Promise<T>,
  ): Promise<T> {
    const isLast = (one: DeepUpstream) => one.keeps[kind].lackedBefore(depthOf(one, block));
    const currentIsLast = isLast(current);
    const found = currentIsLast ? null : await readFrom(current, kind, block, read);
    if (found !== null) return found.value;
    const reaching = others().filter(({ head }) => head === null || head >= block);
    for (const other of [
      ...reaching.filter((one) => !isLast(one)),
      ...reaching.filter((one) => isLast(one)),
    ]) {
      try {
        const answer = await readFrom(other, kind, block, read);
        if (answer !== null) return answer.value;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        other.failed(error);
      }
    }
    const last = currentIsLast ? await readFrom(current, kind, block, read) : null;
    if (last !== null) return last.value;
    throw new StateUnavailable({
      upstream: client.upstream,
      reason: 'pruned',
      ...(kind === 'logs' && { of: 'logs' }),
    });
  }

  /** Returns null if it does not have the block. */
  async function readFrom<T>(
    one: DeepUpstream,
    kind: 'state' | 'logs',
    block: number,
    read: (client: ChainClient, keeps: Keeps) => Promise<T>,
  ): Promise<{ readonly value: T } | null> {
    const depth = depthOf(one, block);
    const known = one.keeps[kind];
    if (!known.mayHave(depth, now())) return null;
    for (let tries = 1; ; tries++) {
      try {
        const value = await read(one.client, one.keeps);
        const differs = tries > 1 || depth >= (known.lacks() ?? Number.POSITIVE_INFINITY);
        known.had(depth);
        if (differs && !one.keeps.uneven) {
          one.keeps.uneven = true;
          throw new NodesDiffer(one.client.upstream);
        }
        return { value };
      } catch (error) {
        if (!(error instanceof StateUnavailable && error.reason === 'pruned')) throw error;
        if (tries >= (known.hasShown(depth) ? TRIES_IF_SHOWN : TRIES)) {
          known.lacked(depth, now());
          return null;
        }
      }
    }
  }
}

function depthOf({ head }: DeepUpstream, block: number): number {
  return Math.max(0, (head ?? block) - block);
}

/** If RPC endpoints differ, an empty result may mean that this one lacks the blocks. */
async function readLogs(
  client: ChainClient,
  keeps: Keeps,
  range: Parameters<ChainClient['logs']>[0],
): Promise<RawLog[]> {
  const first = await client.logs(range);
  if (!keeps.uneven || range.filter.addresses.length === 0) return first;
  for (let empty = 1; first.length === 0 && empty < emptyAnswers(keeps); empty++) {
    const again = await client.logs(range);
    if (again.length === 0) continue;
    keeps.lossy = true;
    return again;
  }
  return first;
}

function emptyAnswers({ lossy }: Keeps): number {
  return lossy ? EMPTY_ANSWERS_IF_LOSSY : EMPTY_ANSWERS;
}
