import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Address } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import {
  type NodeAnswer,
  type NodeRefusal,
  NodesUnavailable,
  readQuantity,
} from '../chain/nodes.ts';
import { isRevert, type RevertCode, revertCode } from '../chain/revertCode.ts';
import { readBroadcast } from './broadcastAnswer.ts';
import type { Fees } from './fees.ts';
import type { Transaction } from './transaction.ts';

/** A transaction as it would be sent: code that reads its sender, gas, or gas price sees the same in a call. */
export interface SimulatedTransaction extends Pick<Transaction, 'to' | 'data' | 'gas'> {
  readonly from: Address;
  readonly fees: Fees;
}

/** The key cannot pay for the transaction; the payment is not the reason. */
export class SenderOutOfGas extends Error {
  override readonly name = 'SenderOutOfGas';

  constructor() {
    super('the gas balance of a settlement key is too low: send it native coins');
  }
}

export function simulationCall(simulated: SimulatedTransaction, block: string): RpcCall {
  return { method: 'eth_call', params: [fieldsOf(simulated), block] };
}

/** The gas of the call is the maximum for the estimate. */
export function estimateCall(simulated: SimulatedTransaction, block: string): RpcCall {
  return { method: 'eth_estimateGas', params: [fieldsOf(simulated), block] };
}

/** Returns null if it succeeds. Throws NodesUnavailable or SenderOutOfGas. */
export function readCall(answer: NodeAnswer): RevertCode | null {
  if (!('result' in answer)) return readRevert(answer);
  // An RPC endpoint that returns no data has not run the call.
  if (typeof answer.result !== 'string') throw new NodesUnavailable();
  return null;
}

/** Returns the gas it takes, or why it fails. Throws the same errors. */
export function readGas(answer: NodeAnswer): bigint | RevertCode {
  return 'result' in answer ? readQuantity(answer.result) : readRevert(answer);
}

export function readRevert(refusal: NodeRefusal): RevertCode {
  const { data, text } = refusal.error.raw;
  if (!isRevert(refusal)) {
    // More than the maximum of the estimate, which means out of gas.
    if (/gas required exceeds|exceeds allowance/.test(text)) return 'payment_would_fail';
    const said = readBroadcast(refusal);
    if (said === 'no_funds') throw new SenderOutOfGas();
    // An error that is not a revert proves nothing about the payment.
    if (said === 'underpriced' || refusal.error.retry) throw new NodesUnavailable();
  }
  return revertCode(data, text);
}

function fieldsOf({ from, to, data, gas, fees }: SimulatedTransaction) {
  return {
    from,
    to,
    data,
    gas: hexQuantity(gas),
    maxFeePerGas: hexQuantity(fees.maxFeePerGas),
    maxPriorityFeePerGas: hexQuantity(fees.maxPriorityFeePerGas),
  };
}
