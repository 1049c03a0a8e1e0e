import type { ChainClient, Header } from '../../chain/chainClient.ts';
import { RpcRefused } from '../../chain/rpcError.ts';
import type { ChainConfig } from '../../config/config.ts';

/** For nodes that do not know the tag: deeper than any reorganisation seen on chains of this kind. */
const FALLBACK_DEPTH = 128;

/** The newest block that cannot be taken back. */
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
