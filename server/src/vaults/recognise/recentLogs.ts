import type { LogFilter, RawLog } from '../../chain/chainClient.ts';
import { RangeTooWide, RpcRefused, StateUnavailable } from '../../chain/rpcError.ts';
import type { Look } from './look.ts';

/** Nodes cap a range at anything from 500 blocks to none: this many requests are a fair try. */
const REQUESTS = 40;
const WIDEST = 200_000;

export interface RecentLogs {
  /** Newest first. */
  readonly logs: readonly RawLog[];
  /** Whether everything from `since` on was read, or as much as was wanted. */
  readonly complete: boolean;
}

/** The newest logs that match, as far back as a few requests reach. */
export async function readRecentLogs(
  look: Look,
  wanted: { readonly filter: LogFilter; readonly since: number; readonly most: number },
): Promise<RecentLogs> {
  const { filter, since, most } = wanted;
  const logs: RawLog[] = [];
  let toBlock = look.block;
  let width = WIDEST;
  for (let request = 0; request < REQUESTS && toBlock >= since; request++) {
    const fromBlock = Math.max(since, toBlock - width + 1);
    try {
      const found = await look.client.logs({ fromBlock, toBlock, filter });
      logs.push(...found.reverse());
      if (logs.length >= most) return { logs: logs.slice(0, most), complete: true };
      toBlock = fromBlock - 1;
    } catch (error) {
      // A node that has no logs to give at all says so in many ways: what it has told so far is what there is.
      if (error instanceof RpcRefused || error instanceof StateUnavailable) break;
      if (!(error instanceof RangeTooWide)) throw error;
      const blocks = toBlock - fromBlock + 1;
      if (blocks === 1) break;
      width = Math.max(1, Math.min(error.maxBlocks ?? blocks, Math.floor(blocks / 4)));
    }
  }
  return { logs, complete: toBlock < since };
}
