import { type Hex, lower } from '../../domain/hex.ts';
import type { WatchedPayment } from '../../store/payments/watchedPayments.ts';
import { askState, readState } from '../chain/authorizationState.ts';
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

/** A head as it was seen. */
export interface SeenBlock extends Block {
  /** Milliseconds, of our clock. */
  readonly at: number;
}

/** What a node says, all at once. */
export interface View {
  readonly head: SeenBlock;
  /** The newest block that was seen before and is still there; null when nothing was taken back. -1: none. */
  readonly fork: number | null;
  /** Where each payment's own transaction paid us, up to the head; null when it did not. */
  readonly places: readonly (Pick<Block, 'number' | 'hash'> | null)[];
}

export interface FinalityReads {
  /** One request for all of them. `seen`: earlier heads, oldest first. */
  look(payments: readonly WatchedPayment[], seen: readonly SeenBlock[]): Promise<View>;
  /** Whether the token has seen each one's nonce at that block: used or cancelled. */
  areUsed(payments: readonly WatchedPayment[], block: number): Promise<readonly boolean[]>;
}

/** A node that is behind what another one said lags, or the chain was cut back: then it stays so. */
const LAG_MS = 30_000;

/** Throws NodesUnavailable when nobody can say for sure. */
export function createFinalityReads(options: {
  readonly nodes: Nodes;
  /** Milliseconds. */
  readonly now?: () => number;
}): FinalityReads {
  const { nodes, now = Date.now } = options;
  return { look, areUsed };

  async function look(
    payments: readonly WatchedPayment[],
    seen: readonly SeenBlock[],
  ): Promise<View> {
    const last = seen.at(-1);
    const [latest, before, ...receipts] = await nodes.ask([
      askBlock('latest'),
      askBlock(last?.number ?? 'latest'),
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
      places: payments.map((payment, i) => placeOf(payment, receipts[i], head)),
    };
  }

  async function findFork(head: SeenBlock, seen: readonly SeenBlock[]): Promise<number> {
    const within = seen.filter(({ number }) => number <= head.number);
    const answers = await nodes.ask(within.map(({ number }) => askBlock(number)));
    const fork = within.findLast((block, i) => readBlock(answers[i])?.hash === block.hash);
    const lags = within.length < seen.length && fork === within.at(-1);
    if (lags && head.at - seen.at(-1)!.at < LAG_MS) throw new NodesUnavailable();
    return fork?.number ?? -1;
  }

  async function areUsed(
    payments: readonly WatchedPayment[],
    block: number,
  ): Promise<readonly boolean[]> {
    const answers = await nodes.ask(
      payments.map((payment) => askState(payment.asset, signedOf(payment).authorization, block)),
    );
    return answers.map(readState);
  }
}

function placeOf(
  payment: WatchedPayment,
  answer: NodeAnswer | undefined,
  head: Block,
): View['places'][number] {
  const raw = readResult(answer);
  const receipt = parseReceipt(raw);
  // What is above the head that was seen is looked up again under the next one.
  if (receipt === null || receipt.blockNumber > head.number) return null;
  if (receipt.transaction !== payment.transaction) return null;
  if (!paysUs(receipt, payment, signedOf(payment).authorization)) return null;
  return {
    number: receipt.blockNumber,
    hash: readHash((raw as { blockHash?: unknown }).blockHash),
  };
}

function askBlock(block: number | 'latest') {
  const at = block === 'latest' ? block : `0x${block.toString(16)}`;
  return { method: 'eth_getBlockByNumber', params: [at, false] };
}

/** Null for a block that the node does not have. */
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
