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

/** One key that sends transactions, in order of their nonces and without waiting for each to be mined. */
export interface Sender {
  readonly address: Address;
  /** How many wait to be sent or to be mined. */
  busy(): number;
  /** Whether its last transaction was refused for want of gas money. */
  outOfGas(): boolean;
  /** Its balance was seen to suffice again, or not to. */
  enriched(): void;
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
  /** When a transaction that is not mined is sent again with a higher fee. */
  readonly bumpAfterMs: number;
  /** How often the chain is asked whether it took back what it had mined. */
  readonly reorgCheckMs: number;
  /** How long a caller waits; the transaction itself is looked after until its nonce is used. */
  readonly patienceMs: number;
}

/** How many requests are in flight at once, and how many transactions in each. */
interface Pace {
  readonly requests: number;
  readonly together: number;
}

/** Nodes keep nonces that overtook others until these arrive: the chain always has some to work on. */
const ABREAST: Pace = { requests: 8, together: 4 };
/** For a node that will not keep them. */
const IN_ORDER: Pace = { requests: 1, together: 16 };
/** Another node may have taken its place by then. */
const IN_ORDER_MS = 600_000;
const TRIES = 10;
/** Until a receipt is asked for that did not come with the answer. */
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
      if (item !== null) sendAgain([item]);
    },
  });
  const queue: Item[] = [];
  /** Came to a node before the nonces before them, and were not kept. */
  const early: Slot[] = [];
  const arrival = createArrival();
  let next: number | undefined;
  /** How often the count was lost. */
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
    enriched: () => {
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
      const patience = setTimeout(() => settle({ outcome: 'unknown' }), options.patienceMs);
      const item: Item = { transaction, settle, tries: 0, sent: false, over: false };
      if (closed) return settle({ outcome: 'refused', code: 'facilitator_unavailable' });
      queue.push(item);
      void drain();

      function settle(sent: Sent): void {
        clearTimeout(patience);
        item.over = true;
        // Not sent yet, and now not to be sent: the caller believes it may have been, which is harmless.
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
        // A refusal is one of the last attempt only.
        resolve(sent.outcome === 'refused' && item.sent ? { outcome: 'unknown' } : sent);
      }
    });
  }

  /** Before all others; not at all when nobody waits for them any more. */
  function sendAgain(items: readonly Item[]): void {
    queue.unshift(...items.filter(({ over }) => !over));
    void drain();
  }

  /** The only place where new nonces are given out. */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    try {
      // What arrives in one turn goes out in one request.
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
    // The count was lost meanwhile: it is read anew.
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

  /** After the pool's, and after what we sent: a node may have forgotten it. */
  async function freeNonce(): Promise<number> {
    const pending = await readCount(nodes, address, 'pending');
    return Math.max(pending, slots.end());
  }

  /** What comes next is no longer known: nonces were not used after all, or were used by another. */
  function loseCount(): void {
    next = undefined;
    losses += 1;
  }

  /** Without waiting for the answer: the next ones are signed and sent meanwhile. */
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
    const asked = arrival.ask();
    const told = await broadcast(
      nodes,
      signed.map(({ raw }) => raw),
      asked ? signed.map(({ hash }) => hash) : [],
    );
    if (closed) return;
    if (asked && told !== null) arrival.saw(told.receipts.length > 0);
    const refused: [Slot, BroadcastAnswer][] = [];
    for (const [i, slot] of sent.entries()) {
      slot.sentAt = performance.now();
      const receipt = told?.receipts.find(({ transaction }) => transaction === signed[i]!.hash);
      // Without an answer it may have been taken: it is waited for, and sent again as it is.
      const answer = told === null ? 'accepted' : told.answers[i]!;
      const sure = told !== null && !told.doubtful && !slot.taken;
      if (receipt !== undefined) slots.mine(slot, receipt);
      else if (answer === 'nonce_ahead' && sure && !slot.early) keepForLater(slot);
      else if (answer === 'accepted' || answer === 'nonce_ahead' || !sure) {
        slots.watch(slot, asked ? SOON_MS : 0);
      } else refused.push([slot, answer]);
    }
    const again: Item[] = [];
    for (const [slot, answer] of refused) await judge(slot, answer, again);
    sendAgain(again);
  }

  /** This node wants each nonce after the one before it. */
  function keepForLater(slot: Slot): void {
    inOrderUntil = performance.now() + IN_ORDER_MS;
    slot.early = true;
    early.push(slot);
    early.sort((a, b) => a.nonce - b.nonce);
  }

  async function judge(slot: Slot, answer: BroadcastAnswer, again: Item[]): Promise<void> {
    if (answer === 'nonce_used' || answer === 'underpriced') await another(slot, answer, again);
    else refuse(slot, answer);
  }

  /** Its nonce belongs to somebody else, or its fee is too low for this node; no node has it. */
  async function another(slot: Slot, answer: BroadcastAnswer, again: Item[]): Promise<void> {
    loseCount();
    fees.forget();
    const { item } = slot;
    const free = await readCount(nodes, address, 'pending').catch(() => null);
    if (item !== null && ++item.tries > TRIES) return refuse(slot, 'refused');
    if (answer === 'nonce_used' || (free !== null && free > slot.nonce)) {
      drop(slot);
      if (item !== null) again.push(item);
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

  /** A refused transaction must not keep the later ones from being mined. */
  function closeGap(sent: readonly Slot[]): void {
    const gap = sent.find(({ dropped }) => dropped);
    if (gap !== undefined && slots.end() > gap.nonce) late.look();
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
