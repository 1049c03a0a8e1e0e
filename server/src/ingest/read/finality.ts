import type { ChainClient, Header } from '../../chain/chainClient.ts';
import { RpcRefused } from '../../chain/rpcError.ts';
import type { ChainConfig } from '../../config/config.ts';

/** For endpoints without the `finalized` tag: deeper than any reorg seen on such chains. */
const FALLBACK_DEPTH = 128;

/** Returns the number of the newest finalized block. */
export async function finalizedNumber(
  client: ChainClient,
  finality: ChainConfig['finality'],
  head: Header,
): Promise<number> {
  if (typeof finality === 'object') return Math.max(0, head.number - finality.depth);
  try {
    const header = await client.header(finality);
    if (header !== null) return Math.min(header.number, head.number);
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
  }
  return Math.max(0, head.number - FALLBACK_DEPTH);
}
