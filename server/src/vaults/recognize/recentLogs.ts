import type { LogFilter, RawLog } from '../../chain/chainClient.ts';
import { RangeTooWide, RpcError } from '../../chain/rpcError.ts';
import type { Look } from './readContract.ts';

/** RPC endpoints limit a range to anything from 500 blocks up: this many requests are a reasonable effort. */
const REQUESTS = 40;
const WIDEST = 200_000;
/** In a row: from the widest range down to less than a thousand blocks. */
const FAILURES = 6;

export interface RecentLogs {
  /** Newest first. */
  readonly logs: readonly RawLog[];
  /** Whether everything since `since` was read, or as much as requested. */
  readonly complete: boolean;
}

/** Reads the newest matching logs, as far back as a few requests reach. */
export async function readRecentLogs(
  look: Look,
  wanted: { readonly filter: LogFilter; readonly since: number; readonly most: number },
): Promise<RecentLogs> {
  const { filter, since, most } = wanted;
  const logs: RawLog[] = [];
  let toBlock = look.block;
  let width = WIDEST;
  let failures = 0;
  for (let request = 0; request < REQUESTS && toBlock >= since; request++) {
    const fromBlock = Math.max(since, toBlock - width + 1);
    try {
      const found = await look.client.logs({ fromBlock, toBlock, filter });
      failures = 0;
      logs.push(...found.reverse());
      if (logs.length >= most) return { logs: logs.slice(0, most), complete: true };
      toBlock = fromBlock - 1;
    } catch (error) {
      // A failed range may still work in parts; these logs are never the only source.
      if (!(error instanceof RpcError)) throw error;
      failures += 1;
      const blocks = toBlock - fromBlock + 1;
      if (failures === FAILURES || blocks === 1) break;
      const allowed = error instanceof RangeTooWide ? (error.maxBlocks ?? blocks) : blocks;
      width = Math.max(1, Math.min(allowed, Math.floor(blocks / 4)));
    }
  }
  return { logs, complete: toBlock < since };
}
