import type { ChainClient, RawLog } from './chainClient.ts';
import { RpcError, StateUnavailable } from './rpcError.ts';

/** What one URL is known to keep of the past: contract state, or logs. */
export interface Depth {
  /** Whether it is worth asking for a block this far below the head. */
  mayHave(depth: number, now: number): boolean;
  had(depth: number): void;
  /** It refused, however often it was asked. */
  lacked(depth: number, now: number): void;
  /** Whether it has answered for a block as deep as this one. */
  hasShown(depth: number): boolean;
  /** The shallowest depth that it lacks; null where it has lacked nothing. */
  lacks(): number | null;
}

/** A plan may be changed, or a node swapped: what was lacking is asked for again so often. */
const ASK_AGAIN_MS = 10_000;

export function createDepth(): Depth {
  let deepest = -1;
  let lacking = Number.POSITIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    mayHave: (depth, now) => depth < lacking || now - askedAt >= ASK_AGAIN_MS,
    had(depth) {
      deepest = Math.max(deepest, depth);
      if (depth >= lacking) lacking = Number.POSITIVE_INFINITY;
    },
    lacked(depth, now) {
      lacking = Math.min(lacking, depth);
      if (deepest >= depth) deepest = depth - 1;
      askedAt = now;
    },
    hasShown: (depth) => deepest >= depth,
    lacks: () => (lacking === Number.POSITIVE_INFINITY ? null : lacking),
  };
}

/** What a URL has shown of itself. */
export interface Keeps {
  readonly state: Depth;
  readonly logs: Depth;
  /** Behind it are several nodes that keep different pasts. */
  uneven: boolean;
  /** It has answered without logs that it had a moment later. */
  lossy: boolean;
}

export function createKeeps(): Keeps {
  return { state: createDepth(), logs: createDepth(), uneven: false, lossy: false };
}

/** One URL as far as reads of the past go. */
export interface DeepUpstream {
  readonly client: ChainClient;
  /** Its head as last reported; null while unknown. */
  readonly head: number | null;
  readonly keeps: Keeps;
  failed(error: RpcError): void;
}

/** The URL was found to stand for several nodes while it was read: what it said so far is asked for with more care. */
export class NodesDiffer extends RpcError {
  readonly retry = true;

  constructor(upstream: number) {
    super(upstream, `rpc ${upstream} stands for nodes that keep different pasts`);
  }
}

/** One URL may stand for several nodes that keep different pasts: a refusal is believed after so many in a row. */
const TRIES = 3;
/** The same for a URL that has answered as deep before. */
const TRIES_IF_SHOWN = 12;
/** An answer without logs is asked for again so often: nodes that lack a block may say that it has none. */
const EMPTY_ANSWERS = 4;
const EMPTY_ANSWERS_IF_LOSSY = 8;

/**
 * Reads of blocks that cannot be taken back any more: what the client in use does not keep is asked of the other URLs. Throws
 * StateUnavailable where nobody has it.
 */
export function createDeepReads(options: {
  readonly current: DeepUpstream;
  /** The other URLs that can be asked now. */
  readonly others: () => readonly DeepUpstream[];
  readonly now: () => number;
}): ChainClient {
  const { current, others, now } = options;
  const { client } = current;

  return {
    ...client,
    logs: (range) => ask('logs', range.fromBlock, (one, keeps) => readLogs(one, keeps, range)),
    call: (call, block) => ask('state', block, (one) => one.call(call, block)),
    code: (address, block) => ask('state', block, (one) => one.code(address, block)),
    storageAt: (address, slot, block) =>
      ask('state', block, (one) => one.storageAt(address, slot, block)),
    multicall: (calls, block) => ask('state', block, (one) => one.multicall(calls, block)),
  };

  async function ask<T>(
    kind: 'state' | 'logs',
    block: number,
    read: (client: ChainClient, keeps: Keeps) => Promise<T>,
  ): Promise<T> {
    const found = await askOne(current, kind, block, read);
    if (found !== null) return found.value;
    for (const other of others()) {
      if (other.head !== null && other.head < block) continue;
      try {
        const answer = await askOne(other, kind, block, read);
        if (answer !== null) return answer.value;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        other.failed(error);
      }
    }
    throw new StateUnavailable({
      upstream: client.upstream,
      reason: 'pruned',
      ...(kind === 'logs' && { of: 'logs' }),
    });
  }

  /** Null where it does not keep the block. */
  async function askOne<T>(
    one: DeepUpstream,
    kind: 'state' | 'logs',
    block: number,
    read: (client: ChainClient, keeps: Keeps) => Promise<T>,
  ): Promise<{ readonly value: T } | null> {
    const depth = Math.max(0, (one.head ?? block) - block);
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

/** Where nodes differ, no logs may mean that this one lacks the blocks. */
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
