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

/** A transaction as it would be sent: code that looks at its sender, its gas or its price sees the same in a call. */
export interface Rehearsal extends Pick<Transaction, 'to' | 'data' | 'gas'> {
  readonly from: Address;
  readonly fees: Fees;
}

/** The key cannot pay for the transaction: no fault of the payment. */
export class SenderOutOfGas extends Error {
  override readonly name = 'SenderOutOfGas';

  constructor() {
    super('a key that settles payments is out of gas money: send it some');
  }
}

export function askCall(rehearsal: Rehearsal, block: string): RpcCall {
  return { method: 'eth_call', params: [fieldsOf(rehearsal), block] };
}

/** The gas of the rehearsal is the most that may be tried. */
export function askGas(rehearsal: Rehearsal, block: string): RpcCall {
  return { method: 'eth_estimateGas', params: [fieldsOf(rehearsal), block] };
}

/** Null when it goes through. Throws NodesUnavailable, or SenderOutOfGas. */
export function readCall(answer: NodeAnswer): RevertCode | null {
  if (!('result' in answer)) return readRevert(answer);
  // A node that answers with nothing has not run it.
  if (typeof answer.result !== 'string') throw new NodesUnavailable();
  return null;
}

/** What it takes, or why it fails. Throws as well. */
export function readGas(answer: NodeAnswer): bigint | RevertCode {
  return 'result' in answer ? readQuantity(answer.result) : readRevert(answer);
}

export function readRevert(refusal: NodeRefusal): RevertCode {
  const { data, text } = refusal.error.words;
  if (!isRevert(refusal)) {
    // More than the most that may be tried: a node's way to say out of gas.
    if (/gas required exceeds|exceeds allowance/.test(text)) return 'payment_would_fail';
    const said = readBroadcast(refusal);
    if (said === 'no_funds') throw new SenderOutOfGas();
    // A refusal that is no revert says nothing of the payment.
    if (said === 'underpriced' || refusal.error.retry) throw new NodesUnavailable();
  }
  return revertCode(data, text);
}

function fieldsOf({ from, to, data, gas, fees }: Rehearsal) {
  return {
    from,
    to,
    data,
    gas: hexQuantity(gas),
    maxFeePerGas: hexQuantity(fees.maxFeePerGas),
    maxPriorityFeePerGas: hexQuantity(fees.maxPriorityFeePerGas),
  };
}
