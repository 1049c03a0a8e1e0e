import type { Address } from '../../domain/hex.ts';
import { type Nodes, readQuantity, readResult } from '../chain/nodes.ts';

/** Returns how many nonces of the key are used, in the newest block or including the RPC endpoint's pool. */
export async function readCount(
  nodes: Nodes,
  address: Address,
  block: 'pending' | 'latest',
): Promise<number> {
  const params = [address, block];
  const [answer] = await nodes.request([{ method: 'eth_getTransactionCount', params }]);
  return Number(readQuantity(readResult(answer)));
}
