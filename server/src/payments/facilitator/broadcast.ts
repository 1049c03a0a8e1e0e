import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { parseReceipt, type Receipt } from '../chain/receipt.ts';
import { type BroadcastAnswer, readBroadcast } from './broadcastAnswer.ts';

/** The response of an RPC endpoint to a broadcast. */
export interface BroadcastResponse {
  /** In the order of the transactions. */
  readonly answers: readonly BroadcastAnswer[];
  /** Receipts of transactions that are already mined. */
  readonly receipts: readonly Receipt[];
  /** Whether an RPC endpoint may have accepted them earlier without responding. */
  readonly doubtful: boolean;
}

const TRIES = 2;

/**
 * Sends the transactions in one request, with the receipts of these hashes. Repeats the same bytes once if no RPC
 * endpoint responds: an endpoint that has them reports that. Returns null if none responds.
 */
export async function broadcast(
  nodes: Nodes,
  raws: readonly Hex[],
  hashes: readonly Hex[] = [],
): Promise<BroadcastResponse | null> {
  const calls: readonly RpcCall[] = [
    ...raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ];
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const { answers, doubtful } = await nodes.broadcast(calls);
      const receipts = answers
        .slice(raws.length)
        .map((answer) => ('result' in answer ? parseReceipt(answer.result) : null));
      return {
        answers: answers.slice(0, raws.length).map(readBroadcast),
        receipts: receipts.filter((receipt) => receipt !== null),
        doubtful: doubtful || tries > 0,
      };
    } catch (error) {
      if (!(error instanceof NodesUnavailable)) throw error;
    }
  }
  return null;
}
