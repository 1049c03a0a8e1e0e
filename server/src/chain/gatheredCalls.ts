import type { Hex } from '../domain/hex.ts';
import type { Call, ChainClient } from './chainClient.ts';

interface Gathered {
  readonly calls: Call[];
  /** Null for calls that failed on chain, in the order of `calls`. */
  readonly answers: Promise<(Hex | null)[]>;
}

/** Reads at one block that are asked for at the same moment go out together: providers count requests, not what is in them. */
export function withGatheredCalls(client: ChainClient): ChainClient {
  const open = new Map<number, Gathered>();

  return {
    ...client,
    async multicall(calls, block) {
      if (calls.length === 0) return [];
      const gathered = open.get(block) ?? begin(block);
      const from = gathered.calls.length;
      gathered.calls.push(...calls);
      const answers = await gathered.answers;
      return answers.slice(from, from + calls.length);
    },
  };

  function begin(block: number): Gathered {
    const calls: Call[] = [];
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      open.delete(block);
      return client.multicall(calls, block);
    });
    const gathered = { calls, answers };
    open.set(block, gathered);
    return gathered;
  }
}
