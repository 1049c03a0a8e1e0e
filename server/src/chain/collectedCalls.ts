import type { Hex } from '../domain/hex.ts';
import type { Call, ChainClient } from './chainClient.ts';

interface Collected {
  readonly calls: Call[];
  /** Null for calls that failed on chain, in the order of `calls`. */
  readonly answers: Promise<(Hex | null)[]>;
}

/** Combines reads at one block that are requested at the same moment: providers count requests, not their content. */
export function withCollectedCalls(client: ChainClient): ChainClient {
  const open = new Map<number, Collected>();

  return {
    ...client,
    async multicall(calls, block) {
      if (calls.length === 0) return [];
      const collected = open.get(block) ?? begin(block);
      const from = collected.calls.length;
      collected.calls.push(...calls);
      const answers = await collected.answers;
      return answers.slice(from, from + calls.length);
    },
  };

  function begin(block: number): Collected {
    const calls: Call[] = [];
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      open.delete(block);
      return client.multicall(calls, block);
    });
    const collected = { calls, answers };
    open.set(block, collected);
    return collected;
  }
}
