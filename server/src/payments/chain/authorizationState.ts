import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Address } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import type { Authorization } from '../authorization/payment.ts';
import { type NodeAnswer, NodesUnavailable } from './nodes.ts';
import { addressTopic } from './receipt.ts';

/** `authorizationState(address,bytes32)` */
const SELECTOR = '0xe94a0102';

/** Builds the call that reads whether the token has used or cancelled the authorization's nonce at a block. */
export function stateCall(
  asset: Address,
  { from, nonce }: Authorization,
  blockNumber: number,
): RpcCall {
  const data = `${SELECTOR}${addressTopic(from).slice(2)}${nonce.slice(2)}`;
  const block = hexQuantity(blockNumber);
  return { method: 'eth_call', params: [{ to: asset, data }, block] };
}

export function readState(answer: NodeAnswer | undefined): boolean {
  const result = (answer as { result?: unknown } | undefined)?.result;
  if (typeof result !== 'string' || !/^0x0{63}[01]$/.test(result)) throw new NodesUnavailable();
  return result.endsWith('1');
}
