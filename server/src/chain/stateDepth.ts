import type { Address, Hex } from '../domain/hex.ts';
import { toIso } from '../domain/time.ts';
import { createChainClient } from './client.ts';
import { Malformed } from './malformed.ts';
import { parseQuantity } from './parse.ts';
import type { RpcClient } from './rpcClient.ts';
import { RpcError, RpcRefused, StateUnavailable } from './rpcError.ts';

/** How far back a URL has contract state. */
export type StateDepth =
  /** From the first block that is needed. */
  | { readonly kind: 'whole' }
  | {
      readonly kind: 'recent';
      /** Blocks with state, including the head. */
      readonly blocks: number;
      readonly oldest: number;
      /** Time of the oldest, in Unix seconds. */
      readonly since: number;
    }
  /** The reason is safe to show. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface DepthQuery {
  /** A contract to call: the vault. */
  readonly address: Address;
  /** The first block whose state is needed. */
  readonly first: number;
  readonly head: number;
}

const TOTAL_SUPPLY: Hex = '0x18160ddd';

/**
 * Reads at the first block, then what the RPC endpoint reports itself, and only then bisects: about 24 calls. Only
 * missing state lowers the depth: an exceeded quota does not count as pruned.
 */
export async function findStateDepth(rpc: RpcClient, query: DepthQuery): Promise<StateDepth> {
  const { address, head } = query;
  const client = createChainClient({ rpc, multicall: address, head });
  // Pruned RPC endpoints keep the state of the genesis block.
  const first = Math.max(1, query.first);
  try {
    if (await hasState(first)) return { kind: 'whole' };
    if (!(await hasState(head))) return { kind: 'unknown', reason: 'it has no state of its head' };
    const reported = await reportedOldest();
    const oldest =
      reported !== undefined && (await hasState(reported)) ? reported : await bisect(first, head);
    const header = await client.header(oldest);
    if (header === null) return { kind: 'unknown', reason: `it has no block ${oldest}` };
    return { kind: 'recent', blocks: head - oldest + 1, oldest, since: header.time };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { kind: 'unknown', reason: error.safeText.replace(/^rpc \d+ /, 'it ') };
  }

  async function hasState(block: number): Promise<boolean> {
    try {
      await client.call({ to: address, data: TOTAL_SUPPLY }, block);
      return true;
    } catch (error) {
      if (error instanceof RpcRefused && error.reverted) return true;
      if (error instanceof StateUnavailable && error.reason === 'pruned') return false;
      throw error;
    }
  }

  /** Undefined if the RPC endpoint does not support eth_capabilities, or reports a block out of range. */
  async function reportedOldest(): Promise<number | undefined> {
    try {
      const found = (await rpc.request('eth_capabilities', [])) as {
        readonly state?: { readonly oldestBlock?: unknown };
      } | null;
      const oldest = parseQuantity(found?.state?.oldestBlock, 'oldest block');
      return oldest > first && oldest <= head ? oldest : undefined;
    } catch (error) {
      if (error instanceof RpcError || error instanceof Malformed) return undefined;
      throw error;
    }
  }

  async function bisect(without: number, having: number): Promise<number> {
    let [low, high] = [without, having];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await hasState(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** Returns what a URL without all state means for the series, and what to do; undefined for one that has all. */
export function stateDepthText(depth: StateDepth, chainId: number): string | undefined {
  if (depth.kind === 'whole') return undefined;
  const fix = `add an archive URL to chain ${chainId} to have them from the first block`;
  if (depth.kind === 'unknown') {
    return `how much state it keeps could not be established (${depth.reason}); if series begin late, ${fix}`;
  }
  const day = toIso(depth.since).slice(0, 10);
  return `it keeps ${depth.blocks} blocks of state, so series begin on ${day}, at block ${depth.oldest}; ${fix}`;
}
