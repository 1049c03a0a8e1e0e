import { pause } from '../runtime/pause.ts';
import type { ChainClient, Header } from './chainClient.ts';
import { StateUnavailable } from './rpcError.ts';

/** Attempts to read a block that the URL itself has reported. */
const TRIES = 8;
const PAUSE_MS = 20;
/** A head this much lower than an earlier one comes from another RPC endpoint. */
const UNEVEN_BLOCKS = 3;

/**
 * One URL may balance over several RPC endpoints, of which some are behind. A block that the URL has reported is read
 * again before it counts as missing.
 */
export function withSteadyReads(client: ChainClient, onUneven: () => void = () => {}): ChainClient {
  let reported = -1;

  return {
    ...client,
    async header(block, options) {
      const found = await readAgain(block, () => client.header(block, options));
      if (block === 'latest' && found !== null) {
        if (found.number <= reported - UNEVEN_BLOCKS) onUneven();
        reported = Math.max(reported, found.number);
      }
      return found;
    },
    async headers(numbers) {
      const found = [...(await client.headers(numbers))];
      for (let tries = 1; tries < TRIES; tries++) {
        const missing = [...found.keys()].filter(
          (i) => found[i] === null && numbers[i]! <= reported,
        );
        if (missing.length === 0) break;
        await pause(PAUSE_MS * tries);
        const answers = await client.headers(missing.map((i) => numbers[i]!));
        for (const [k, i] of missing.entries()) found[i] = answers[k]!;
      }
      return found;
    },
    call: (call, block) => known(block, () => client.call(call, block)),
    code: (address, block) => known(block, () => client.code(address, block)),
    storageAt: (address, slot, block) => known(block, () => client.storageAt(address, slot, block)),
    multicall: (calls, block) => known(block, () => client.multicall(calls, block)),
    logs: (range) => known(range.toBlock, () => client.logs(range)),
  };

  async function readAgain(
    block: number | string,
    read: () => Promise<Header | null>,
  ): Promise<Header | null> {
    for (let tries = 1; ; tries++) {
      const found = await read();
      if (found !== null && tries > 1) onUneven();
      if (found !== null || tries >= TRIES || !(typeof block === 'number' && block <= reported)) {
        return found;
      }
      await pause(PAUSE_MS * tries);
    }
  }

  async function known<T>(block: number, read: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await read();
      } catch (error) {
        const isBehind = error instanceof StateUnavailable && error.reason === 'unknown-block';
        if (!isBehind || block > reported || tries >= TRIES) throw error;
        await pause(PAUSE_MS * tries);
      }
    }
  }
}
