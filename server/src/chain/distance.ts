import type { ChainClient } from './chainClient.ts';
import { StateUnavailable } from './rpcError.ts';

/** Endpoints behind one URL are rarely this far apart, and those without an archive have state of more blocks. */
const NEAR_BLOCKS = 64;

/**
 * Some RPC endpoints reject a block that they do not have yet and one that they no longer have with the same text. Near the
 * head of the URL it is the first, below it the second.
 *
 * @param head The URL's head where it is known beforehand; it is read from each header of the latest block.
 */
export function withDistance(client: ChainClient, head = -1): ChainClient {
  let latest = head;

  return {
    ...client,
    async header(block, options) {
      const found = await client.header(block, options);
      if (block === 'latest' && found !== null) latest = found.number;
      return found;
    },
    logs: (range) => placed(range.fromBlock, () => client.logs(range), 'logs'),
    call: (call, block) => placed(block, () => client.call(call, block)),
    code: (address, block) => placed(block, () => client.code(address, block)),
    storageAt: (address, slot, block) =>
      placed(block, () => client.storageAt(address, slot, block)),
    multicall: (calls, block) => placed(block, () => client.multicall(calls, block)),
  };

  async function placed<T>(
    block: number,
    read: () => Promise<T>,
    of: 'state' | 'logs' = 'state',
  ): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const isDeep = latest - block >= NEAR_BLOCKS;
      if (!(error instanceof StateUnavailable && error.mayBePruned && isDeep)) throw error;
      throw new StateUnavailable({ upstream: error.upstream, reason: 'pruned', of });
    }
  }
}
