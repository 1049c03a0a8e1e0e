import { type Hex, lower } from '../../domain/hex.ts';
import type { WatchedPayment } from '../../store/payments/watchedPayments.ts';
import { readState, stateCall } from '../chain/authorizationState.ts';
import {
  type NodeAnswer,
  type Nodes,
  NodesUnavailable,
  readQuantity,
  readResult,
} from '../chain/nodes.ts';
import { parseReceipt, paysUs } from '../chain/receipt.ts';
import { signedOf } from './reconcile.ts';

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly time: number;
}

/** A head and when it was read. */
export interface SeenBlock extends Block {
  /** Milliseconds, by this server's clock. */
  readonly at: number;
}

/** The chain as one request shows it. */
export interface View {
  readonly head: SeenBlock;
  /** The newest known block that is still on chain; null if nothing was removed, -1 if none is left. */
  readonly fork: number | null;
  /** The block in which each payment's own transaction paid, up to the head; null if it did not. */
  readonly blocks: readonly (Pick<Block, 'number' | 'hash'> | null)[];
}

export interface FinalityReads {
  /** Reads everything in one request. `seen`: earlier heads, oldest first. */
  readView(payments: readonly WatchedPayment[], seen: readonly SeenBlock[]): Promise<View>;
  /** Whether the token has used or cancelled each nonce at that block. */
  areUsed(payments: readonly WatchedPayment[], block: number): Promise<readonly boolean[]>;
}

/** A lower head is treated as a lagging RPC endpoint for this long, and as a reorg after it. */
const LAG_MS = 30_000;

/** Throws NodesUnavailable when the result is not certain. */
export function createFinalityReads(options: {
  readonly nodes: Nodes;
  /** Milliseconds. */
  readonly now?: () => number;
}): FinalityReads {
  const { nodes, now = Date.now } = options;
  return { readView, areUsed };

  async function readView(
    payments: readonly WatchedPayment[],
    seen: readonly SeenBlock[],
  ): Promise<View> {
    const last = seen.at(-1);
    const [latest, before, ...receipts] = await nodes.request([
      blockCall('latest'),
      blockCall(last?.number ?? 'latest'),
      ...payments.map(({ transaction }) => ({
        method: 'eth_getTransactionReceipt',
        params: [transaction],
      })),
    ]);
    const found = readBlock(latest);
    if (found === null) throw new NodesUnavailable();
    const head = { ...found, at: now() };
    const stays = last === undefined || readBlock(before)?.hash === last.hash;
    return {
      head,
      fork: stays ? null : await findFork(head, seen),
      blocks: payments.map((payment, i) => getPaidBlock(payment, receipts[i], head)),
    };
  }

  async function findFork(head: SeenBlock, seen: readonly SeenBlock[]): Promise<number> {
    const within = seen.filter(({ number }) => number <= head.number);
    const answers = await nodes.request(within.map(({ number }) => blockCall(number)));
    const fork = within.findLast((block, i) => readBlock(answers[i])?.hash === block.hash);
    const lags = within.length < seen.length && fork === within.at(-1);
    if (lags && head.at - seen.at(-1)!.at < LAG_MS) throw new NodesUnavailable();
    return fork?.number ?? -1;
  }

  async function areUsed(
    payments: readonly WatchedPayment[],
    block: number,
  ): Promise<readonly boolean[]> {
    const answers = await nodes.request(
      payments.map((payment) => stateCall(payment.asset, signedOf(payment).authorization, block)),
    );
    return answers.map(readState);
  }
}

function getPaidBlock(
  payment: WatchedPayment,
  answer: NodeAnswer | undefined,
  head: Block,
): View['blocks'][number] {
  const raw = readResult(answer);
  const receipt = parseReceipt(raw);
  // A block above this head is read again under the next one.
  if (receipt === null || receipt.blockNumber > head.number) return null;
  if (receipt.transaction !== payment.transaction) return null;
  if (!paysUs(receipt, payment, signedOf(payment).authorization)) return null;
  return {
    number: receipt.blockNumber,
    hash: readHash((raw as { blockHash?: unknown }).blockHash),
  };
}

function blockCall(block: number | 'latest') {
  const at = block === 'latest' ? block : `0x${block.toString(16)}`;
  return { method: 'eth_getBlockByNumber', params: [at, false] };
}

/** Returns null for a block that the RPC endpoint does not have. */
function readBlock(answer: NodeAnswer | undefined): Block | null {
  const block = readResult(answer);
  if (block === null) return null;
  const { number, hash, timestamp } = block as Record<string, unknown>;
  return {
    number: Number(readQuantity(number)),
    hash: readHash(hash),
    time: Number(readQuantity(timestamp)),
  };
}

function readHash(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) throw new NodesUnavailable();
  return lower(value);
}
