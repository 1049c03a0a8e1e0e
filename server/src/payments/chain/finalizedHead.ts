import type { ChainConfig } from '../../config/config.ts';
import { type Nodes, NodesUnavailable, readQuantity } from './nodes.ts';

/** For nodes that do not know the tag: deeper than any reorganisation seen on chains of this kind. */
const FALLBACK_DEPTH = 128;
/** So often in a row the tag may go unanswered before the node is taken not to know it. */
const PATIENCE = 3;

/** The newest block that cannot be taken back, given the head; -1 while nobody can say. */
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
    // It never goes back: a node that says so lags.
    known = Math.max(known, read ?? -1);
    return known < 0 && failures >= PATIENCE ? below(FALLBACK_DEPTH) : Math.min(known, head);
  };

  /** Null when the node does not say. Asked alone: with some nodes an unknown tag is a failure of the whole request. */
  async function readTag(tag: string): Promise<number | null> {
    try {
      const [answer] = await nodes.ask([{ method: 'eth_getBlockByNumber', params: [tag, false] }]);
      if (answer === undefined || !('result' in answer)) return null;
      return Number(readQuantity((answer.result as { number?: unknown } | null)?.number));
    } catch (error) {
      if (error instanceof NodesUnavailable) return null;
      throw error;
    }
  }
}
