import type { Address } from '../../domain/hex.ts';
import { type Nodes, readQuantity, readResult } from '../chain/nodes.ts';

/** How many nonces of the key are used: in the newest block, or with what waits in the node's pool. */
export async function readCount(
  nodes: Nodes,
  address: Address,
  block: 'pending' | 'latest',
): Promise<number> {
  const params = [address, block];
  const [answer] = await nodes.ask([{ method: 'eth_getTransactionCount', params }]);
  return Number(readQuantity(readResult(answer)));
}
