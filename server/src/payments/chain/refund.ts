import { eventTopic } from '../../chain/abi.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { Nodes } from './nodes.ts';
import { addressTopic, parseReceipt } from './receipt.ts';

const TRANSFER = eventTopic('Transfer(address,address,uint256)');

/** Whether a mined transaction transferred exactly this amount of the asset to the payer. */
export async function isRefundOf(
  nodes: Nodes,
  transaction: Hex,
  owed: { readonly asset: Address; readonly payer: Address; readonly value: bigint },
): Promise<boolean> {
  const [answer] = await nodes.request([
    { method: 'eth_getTransactionReceipt', params: [transaction] },
  ]);
  if (answer === undefined || !('result' in answer)) return false;
  const receipt = parseReceipt(answer.result);
  if (receipt === null || !receipt.succeeded) return false;
  return receipt.logs.some(
    ({ address, topics, data }) =>
      lower(address) === owed.asset &&
      topics[0] === TRANSFER &&
      topics[2] === addressTopic(owed.payer) &&
      BigInt(data) === owed.value,
  );
}
