import type { ChainConfig } from '../../config/config.ts';
import { type Nodes, NodesUnavailable, readQuantity } from './nodes.ts';

/** For RPC endpoints without the tag: deeper than any reorg seen on chains of this kind. */
const FALLBACK_DEPTH = 128;
/** Failed reads in a row after which the RPC endpoint counts as not supporting the tag. */
const MAX_FAILURES = 3;

/** Returns the newest final block, given the head; -1 while unknown. */
export type FinalizedHead = (head: number) => Promise<number>;

export function createFinalizedHead(options: {
  readonly nodes: Nodes;
  readonly finality: ChainConfig['finality'];
}): FinalizedHead {
  const { nodes, finality } = options;
  let known = -1;
  let failures = 0;

  return async (head) => {
    const below = (depth: number) => Math.max(-1, head - depth);
    if (typeof finality === 'object') return below(finality.depth);
    const read = await readTag(finality);
    failures = read === null ? failures + 1 : 0;
    // The finalized block never decreases: an RPC endpoint with a lower one lags.
    known = Math.max(known, read ?? -1);
    return known < 0 && failures >= MAX_FAILURES ? below(FALLBACK_DEPTH) : Math.min(known, head);
  };

  /**
   * Returns null if the RPC endpoint does not return it. Sent alone, since some fail an entire batch for an unknown
   * tag.
   */
  async function readTag(tag: string): Promise<number | null> {
    try {
      const [answer] = await nodes.request([
        { method: 'eth_getBlockByNumber', params: [tag, false] },
      ]);
      if (answer === undefined || !('result' in answer)) return null;
      return Number(readQuantity((answer.result as { number?: unknown } | null)?.number));
    } catch (error) {
      if (error instanceof NodesUnavailable) return null;
      throw error;
    }
  }
}
