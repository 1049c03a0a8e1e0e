import { RangeTooWide } from '../../chain/rpcError.ts';
import type { Hex } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { type Nodes, NodesUnavailable, readResult } from './nodes.ts';

export interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

/** The logs of one range, from a single response. */
export interface LogPage {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly logs: readonly unknown[];
}

/** Reads logs, oldest block first, in ranges that the RPC endpoint accepts. Throws NodesUnavailable. */
export async function* readLogPages(
  nodes: Nodes,
  filter: LogFilter,
  range: {
    readonly fromBlock: number;
    readonly toBlock: number;
    /** Blocks per request until an RPC endpoint requires fewer. Default: all. */
    readonly width?: number;
  },
): AsyncGenerator<LogPage> {
  const { toBlock } = range;
  let start = range.fromBlock;
  let width = range.width ?? toBlock - start + 1;
  while (start <= toBlock) {
    const end = Math.min(toBlock, start + width - 1);
    const query = { ...filter, fromBlock: hexQuantity(start), toBlock: hexQuantity(end) };
    const [answer] = await nodes.request([{ method: 'eth_getLogs', params: [query] }], {
      fromBlock: start,
      toBlock: end,
    });
    if (answer !== undefined && 'error' in answer && answer.error instanceof RangeTooWide) {
      if (end === start) throw new NodesUnavailable();
      width = narrower(answer.error, start, end);
      continue;
    }
    const logs = readResult(answer);
    if (!Array.isArray(logs)) throw new NodesUnavailable();
    yield { fromBlock: start, toBlock: end, logs };
    start = end + 1;
  }
}

/** Uses the range that the RPC endpoint suggests if it is narrower, else half. */
function narrower(error: RangeTooWide, start: number, end: number): number {
  const width = end - start + 1;
  const suggested = error.suggestedTo === null ? error.maxBlocks : error.suggestedTo - start + 1;
  if (suggested !== null && suggested >= 1 && suggested < width) return suggested;
  return Math.max(1, Math.floor(width / 2));
}
