import type { Address, Hex } from '../../domain/hex.ts';
import { addressOf } from '../authorization/curve.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { createArrival } from './arrival.ts';
import { broadcast } from './broadcast.ts';
import type { BroadcastAnswer } from './broadcastAnswer.ts';
import { type FeeSource, type Fees, FeesAboveCap } from './fees.ts';
import { createLateSlots } from './lateSlots.ts';
import { readCount } from './nonceCount.ts';
import type { ReceiptPoll } from './receiptPoll.ts';
import { createSlots, type Item, newest, type Slot } from './slots.ts';
import type { SendRefusal, Sent, Transaction } from './transaction.ts';

/** One key that sends transactions in the order of their nonces, without waiting for each to be mined. */
export interface Sender {
  readonly address: Address;
  /** How many transactions wait to be sent or mined. */
  busy(): number;
  /** Whether its last transaction was rejected because the gas balance was too low. */
  outOfGas(): boolean;
  /** Records whether the gas balance suffices. */
  onFunded(): void;
  markOutOfGas(): void;
  send(transaction: Transaction): Promise<Sent>;
  close(): void;
}

export interface SenderOptions {
  readonly privateKey: Hex;
  readonly chainId: number;
  readonly nodes: Nodes;
  readonly receipts: ReceiptPoll;
  readonly fees: FeeSource;
  /** Wei per gas; also for replacements. */
  readonly feeCap: bigint;
  /** Delay before an unmined transaction is sent again with a higher fee. */
  readonly bumpAfterMs: number;
  /** How often to check for a reorg that removed mined transactions. */
  readonly reorgCheckMs: number;
  /** How long a caller waits; the transaction itself is handled until its nonce is used. */
  readonly timeoutMs: number;
}

/** Maximum number of concurrent requests, and of transactions in each. */
interface Pace {
  readonly requests: number;
  readonly together: number;
}

/** RPC endpoints keep nonces that arrive early until the earlier ones do, so the chain always has some to mine. */
const ABREAST: Pace = { requests: 8, together: 4 };
/** For an RPC endpoint that rejects early nonces. */
const IN_ORDER: Pace = { requests: 1, together: 16 };
/** By then another RPC endpoint may be in use. */
const IN_ORDER_MS = 600_000;
const TRIES = 10;
/** Delay before requesting a receipt that did not come with the response. */
const SOON_MS = 20;

export function createSender(options: SenderOptions): Sender {
  const { nodes, fees } = options;
  const address = addressOf(options.privateKey);
  const slots = createSlots({ ...options, address });
  const late = createLateSlots({
    ...options,
    address,
    slots,
    send: (slot) => sendOff([slot]),
    passedBy: ({ item }) => {
      loseCount();
      if (item !== null) requeue([item]);
    },
  });
  const queue: Item[] = [];
  /** Rejected by an RPC endpoint because earlier nonces were missing. */
  const early: Slot[] = [];
  const arrival = createArrival();
  let next: number | undefined;
  /** How often the next nonce became unknown. */
  let losses = 0;
  let inOrderUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let draining = false;
  let isOutOfGas = false;
  let closed = false;

  return {
    address,
    busy: () => queue.length + slots.size(),
    outOfGas: () => isOutOfGas,
    onFunded: () => {
      isOutOfGas = false;
    },
    markOutOfGas: () => {
      isOutOfGas = true;
    },
    send,
    close,
  };

  function send(transaction: Transaction): Promise<Sent> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ outcome: 'unknown' }), options.timeoutMs);
      const item: Item = { transaction, settle, tries: 0, sent: false, over: false };
      if (closed) return settle({ outcome: 'refused', code: 'facilitator_unavailable' });
      queue.push(item);
      void drain();

      function settle(sent: Sent): void {
        clearTimeout(timer);
        item.over = true;
        // Not sent yet, and now never sent: the caller gets `unknown`, which is harmless.
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
        // A rejection only covers the last attempt.
        resolve(sent.outcome === 'refused' && item.sent ? { outcome: 'unknown' } : sent);
      }
    });
  }

  /** Puts the items first in the queue, without those whose caller no longer waits. */
  function requeue(items: readonly Item[]): void {
    queue.unshift(...items.filter(({ over }) => !over));
    void drain();
  }

  /** The only place that assigns new nonces. */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    try {
      // Transactions that arrive in one event-loop turn go out in one request.
      await Promise.resolve();
      while (!closed && (early.length > 0 || queue.length > 0)) {
        if (inFlight >= (early.length > 0 ? 1 : pace().requests)) return;
        if (early.length > 0) launch(early.splice(0));
        else await sendSome();
      }
    } finally {
      draining = false;
    }
  }

  function pace(): Pace {
    return performance.now() < inOrderUntil ? IN_ORDER : ABREAST;
  }

  async function sendSome(): Promise<void> {
    const before = losses;
    const prepared = await prepare();
    // The next nonce became unknown meanwhile: read it again.
    if (losses !== before) return;
    const items = queue.splice(0, pace().together);
    if (typeof prepared === 'string') {
      for (const item of items) item.settle({ outcome: 'refused', code: prepared });
      return;
    }
    const first = prepared.nonce;
    next = first + items.length;
    const feesOf = ({ transaction }: Item) => transaction.fees ?? prepared.fees;
    launch(items.map((item, i) => slots.open(first + i, item, feesOf(item))));
  }

  async function prepare(): Promise<{ fees: Fees; nonce: number } | SendRefusal> {
    try {
      const prepared = { fees: await fees.current(), nonce: next ?? (await freeNonce()) };
      return closed ? 'facilitator_unavailable' : prepared;
    } catch (error) {
      if (error instanceof FeesAboveCap) return 'network_fees_too_high';
      if (error instanceof NodesUnavailable) return 'facilitator_unavailable';
      throw error;
    }
  }

  /** After the pool's count and after the nonces in use: an RPC endpoint may have dropped transactions. */
  async function freeNonce(): Promise<number> {
    const pending = await readCount(nodes, address, 'pending');
    return Math.max(pending, slots.end());
  }

  /** The next nonce is unknown: assigned nonces were not used after all, or another sender used them. */
  function loseCount(): void {
    next = undefined;
    losses += 1;
  }

  /** Does not wait for the response: the next transactions are signed and sent meanwhile. */
  function launch(sent: readonly Slot[]): void {
    inFlight += 1;
    void sendOff(sent).finally(() => {
      inFlight -= 1;
      closeGap(sent);
      void drain();
    });
  }

  async function sendOff(sent: readonly Slot[]): Promise<void> {
    const signed = sent.map(newest);
    const withReceipts = arrival.shouldRequest();
    const response = await broadcast(
      nodes,
      signed.map(({ raw }) => raw),
      withReceipts ? signed.map(({ hash }) => hash) : [],
    );
    if (closed) return;
    if (withReceipts && response !== null) arrival.record(response.receipts.length > 0);
    const refused: [Slot, BroadcastAnswer][] = [];
    for (const [i, slot] of sent.entries()) {
      slot.sentAt = performance.now();
      const receipt = response?.receipts.find(({ transaction }) => transaction === signed[i]!.hash);
      // Without a response it may have been accepted: wait for it, and resend the same bytes.
      const answer = response === null ? 'accepted' : response.answers[i]!;
      const sure = response !== null && !response.doubtful && !slot.taken;
      if (receipt !== undefined) slots.mine(slot, receipt);
      else if (answer === 'nonce_ahead' && sure && !slot.early) sendLater(slot);
      else if (answer === 'accepted' || answer === 'nonce_ahead' || !sure) {
        slots.watch(slot, withReceipts ? SOON_MS : 0);
      } else refused.push([slot, answer]);
    }
    const retries: Item[] = [];
    for (const [slot, answer] of refused) await handleRejection(slot, answer, retries);
    requeue(retries);
  }

  /** This RPC endpoint requires nonces in order. */
  function sendLater(slot: Slot): void {
    inOrderUntil = performance.now() + IN_ORDER_MS;
    slot.early = true;
    early.push(slot);
    early.sort((a, b) => a.nonce - b.nonce);
  }

  async function handleRejection(
    slot: Slot,
    answer: BroadcastAnswer,
    retries: Item[],
  ): Promise<void> {
    if (answer === 'nonce_used' || answer === 'underpriced')
      await retryRejected(slot, answer, retries);
    else refuse(slot, answer);
  }

  /** Its nonce was used by another sender, or its fee is too low for this RPC endpoint; no endpoint has it. */
  async function retryRejected(
    slot: Slot,
    answer: BroadcastAnswer,
    retries: Item[],
  ): Promise<void> {
    loseCount();
    fees.forget();
    const { item } = slot;
    const free = await readCount(nodes, address, 'pending').catch(() => null);
    if (item !== null && ++item.tries > TRIES) return refuse(slot, 'refused');
    if (answer === 'nonce_used' || (free !== null && free > slot.nonce)) {
      drop(slot);
      if (item !== null) retries.push(item);
      return;
    }
    if (!(await slots.raise(slot))) return refuse(slot, 'refused');
    await sendOff([slot]);
  }

  function refuse(slot: Slot, answer: BroadcastAnswer): void {
    drop(slot);
    if (answer === 'no_funds') isOutOfGas = true;
    const code = answer === 'no_funds' ? 'facilitator_out_of_gas' : 'facilitator_unavailable';
    slot.item?.settle({ outcome: 'refused', code });
  }

  function drop(slot: Slot): void {
    slots.drop(slot);
    loseCount();
  }

  /** A rejected transaction must not keep the later ones from being mined. */
  function closeGap(sent: readonly Slot[]): void {
    const gap = sent.find(({ dropped }) => dropped);
    if (gap !== undefined && slots.end() > gap.nonce) late.check();
  }

  function close(): void {
    closed = true;
    late.close();
    for (const item of queue.splice(0)) {
      item.settle({ outcome: 'refused', code: 'facilitator_unavailable' });
    }
    slots.close();
  }
}
