import { createRpcClient } from '../chain/rpcClient.ts';
import { findStateDepth, stateDepthText } from '../chain/stateDepth.ts';
import type { ChainConfig } from '../config/config.ts';
import type { ConfigLocation } from './configLocation.ts';
import type { CheckLine } from './line.ts';

/** Warns for each URL of a chain if none has state from the first block on: series would start late. */
export async function checkStateDepth(
  chain: ChainConfig,
  locations: readonly ConfigLocation[],
  head: number,
): Promise<CheckLine[]> {
  const { chainId, name, rpcUrls, timeoutSeconds } = chain;
  const [oldest] = locations
    .map((location) => location.chain)
    .filter((one) => one.startBlock <= head)
    .toSorted((a, b) => a.startBlock - b.startBlock);
  if (oldest === undefined) return [];
  const lines: CheckLine[] = [];
  for (const [i, url] of rpcUrls.entries()) {
    const rpc = createRpcClient({ url, upstream: i + 1, timeoutMs: timeoutSeconds * 1000 });
    try {
      const { address, startBlock: first } = oldest;
      const text = stateDepthText(await findStateDepth(rpc, { address, first, head }), chainId);
      if (text === undefined) return [];
      lines.push({
        ...{ ok: true, warning: true },
        text: `chain ${chainId} (${name}), rpc ${i + 1}: ${text}`,
      });
    } finally {
      rpc.close();
    }
  }
  return lines;
}
