import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { parseReceipt, type Receipt } from '../chain/receipt.ts';
import { type BroadcastAnswer, readBroadcast } from './broadcastAnswer.ts';

/** What a node said of transactions. */
export interface Told {
  /** In their order. */
  readonly answers: readonly BroadcastAnswer[];
  /** Those that were there already. */
  readonly receipts: readonly Receipt[];
  /** Whether a node may have taken them before, without an answer. */
  readonly doubtful: boolean;
}

const TRIES = 2;

/**
 * In one request, with the receipts of these hashes. The same bytes once more when no node answered: a node that has
 * them says so. Null: nobody did.
 */
export async function broadcast(
  nodes: Nodes,
  raws: readonly Hex[],
  hashes: readonly Hex[] = [],
): Promise<Told | null> {
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
