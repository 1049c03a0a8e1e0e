import type { Random } from '../random.ts';
import { type Call, findStateBlock, isQuantity, type LogFilter, toQuantity } from './call.ts';
import type { Depth, ProviderNode } from './profile.ts';
import type { Upstream } from './upstream.ts';

/** The chain as one of the provider's endpoints shows it during one call. */
export interface View {
  readonly node: ProviderNode;
  readonly depth: Depth;
  readonly head: number;
  /** Whether its head or its finalized block differ from the target's. */
  readonly differs: boolean;
}

/** A call with the blocks it refers to, and its tags replaced by numbers where the view differs from the target. */
export interface LocatedCall {
  readonly call: Call;
  readonly reads: 'logs' | 'state' | 'header';
  readonly from: number;
  readonly to: number;
}

export function createView(options: {
  node: ProviderNode;
  depth: Depth | null;
  extraLag: number;
  targetHead: number;
  random: Random;
}): View {
  const { node, extraLag, targetHead, random } = options;
  const [min, max] = node.lag ?? [0, 0];
  const lag = min + random.int(max - min + 1) + extraLag;
  return {
    node,
    depth: options.depth ?? node.depth,
    head: Math.max(0, targetHead - lag),
    differs: lag > 0 || node.finalizedLag !== undefined,
  };
}

/** Returns null for calls that name no block, or a block that the target does not know. */
export async function locate(
  call: Call,
  view: View,
  upstream: Upstream,
): Promise<LocatedCall | null> {
  const { method, params } = call;
  const index = findStateBlock(method);
  if (index !== undefined) {
    const block = await resolve(params[index] ?? 'latest');
    if (block === null) return null;
    return { call: replace(index, block), reads: 'state', from: block, to: block };
  }
  switch (method) {
    case 'eth_getLogs':
      return locateLogs((params[0] ?? {}) as LogFilter);
    case 'eth_getBlockByNumber':
    case 'eth_getBlockReceipts': {
      const block = await resolve(params[0] ?? 'latest');
      if (block === null) return null;
      const reads = method === 'eth_getBlockReceipts' ? 'logs' : 'header';
      return { call: replace(0, block), reads, from: block, to: block };
    }
    default:
      return null;
  }

  async function locateLogs(filter: LogFilter): Promise<LocatedCall | null> {
    if (filter.blockHash !== undefined) {
      const block = await upstream.findNumber({ hash: filter.blockHash });
      return block === null ? null : { call, reads: 'logs', from: block, to: block };
    }
    const from = await resolve(filter.fromBlock ?? 'latest');
    const to = await resolve(filter.toBlock ?? 'latest');
    if (from === null || to === null) return null;
    if (!view.differs) return { call, reads: 'logs', from, to };
    const numbered = { ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    return { call: { ...call, params: [numbered] }, reads: 'logs', from, to };
  }

  function replace(at: number, block: number): Call {
    const isMoved = ['latest', 'finalized', 'safe'].includes(params[at] as string);
    if (!view.differs || !isMoved) return call;
    return { ...call, params: params.with(at, toQuantity(block)) };
  }

  async function resolve(block: unknown): Promise<number | null> {
    if (isQuantity(block)) return Number(block);
    if (typeof block === 'object' && block !== null) {
      const { blockHash, blockNumber } = block as { blockHash?: string; blockNumber?: string };
      if (blockHash !== undefined) return upstream.findNumber({ hash: blockHash });
      return blockNumber === undefined ? null : Number(blockNumber);
    }
    if (block === 'earliest') return 0;
    if (block !== 'finalized' && block !== 'safe') return view.head;
    const { finalizedLag } = view.node;
    if (finalizedLag !== undefined) return Math.max(0, view.head - finalizedLag);
    const number = await upstream.findNumber({ tag: block });
    return number === null ? null : Math.min(number, view.head);
  }
}
