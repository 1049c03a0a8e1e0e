import type { Address, Hex } from '../../domain/hex.ts';
import { addressOf } from '../curve.ts';
import { type BroadcastAnswer, readBroadcast } from './broadcastAnswer.ts';
import { bumpFees, type FeeSource, type Fees, FeesAboveCap } from './fees.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from './nodes.ts';
import type { Receipt } from './receipt.ts';
import type { ReceiptPoll } from './receiptPoll.ts';
import { createSentLog } from './sentLog.ts';
import { type SignedTransaction, signTransaction } from './signedTransaction.ts';

export interface Transaction {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** Unix seconds of the chain from which on it can only fail. */
  readonly deadline: number;
}

export type Sent =
  | { readonly outcome: 'mined'; readonly receipt: Receipt }
  /** Never taken by any node. */
  | { readonly outcome: 'refused'; readonly code: SendRefusal }
  | { readonly outcome: 'unknown' };

export type SendRefusal =
  | 'facilitator_unavailable'
  | 'facilitator_out_of_gas'
  | 'network_fees_too_high';

/** One key that sends transactions, in order of their nonces and without waiting for each to be mined. */
export interface Sender {
  readonly address: Address;
  /** How many wait to be sent or to be mined. */
  busy(): number;
  /** Whether its last transaction was refused for want of gas money. */
  poor(): boolean;
  /** Its balance was seen to suffice again. */
  enriched(): void;
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

interface Item {
  readonly transaction: Transaction;
  settle(sent: Sent): void;
  tries: number;
  /** Its caller has been told something, and waits no more. */
  over: boolean;
}

interface Attempt extends SignedTransaction {
  readonly fees: Fees;
}

/** A nonce that is being used. */
interface Slot {
  readonly nonce: number;
  /** Null: it only has to be used up. */
  item: Item | null;
  /** Newest last; any may be mined. */
  readonly attempts: Attempt[];
  sentAt: number;
  /** Whether a node has it, or may have it. */
  taken: boolean;
  /** How often its nonce was seen used without a receipt of ours. */
  passedBy: number;
  stop(): void;
}

const TOGETHER = 16;
const TRIES = 10;
const PLAIN_GAS = 21_000n;

export function createSender(options: SenderOptions): Sender {
  const { privateKey, chainId, nodes, receipts, fees, feeCap, bumpAfterMs } = options;
  const address = addressOf(privateKey);
  const queue: Item[] = [];
  const slots = new Map<number, Slot>();
  const mined = createSentLog();
  /** Signed while others were on their way, and to be sent when these have arrived. */
  const ready: Slot[] = [];
  let readyFees: Fees | undefined;
  let next: number | undefined;
  let draining = false;
  let sending = false;
  let caring = false;
  let isPoor = false;
  let closed = false;
  let caredAt = 0;
  const timer = setInterval(() => void care(), Math.max(20, bumpAfterMs / 4));
  timer.unref();

  return {
    address,
    busy: () => queue.length + slots.size,
    poor: () => isPoor,
    enriched: () => {
      isPoor = false;
    },
    send,
    close,
  };

  function send(transaction: Transaction): Promise<Sent> {
    return new Promise((resolve) => {
      const patience = setTimeout(() => settle({ outcome: 'unknown' }), options.patienceMs);
      const item: Item = { transaction, settle, tries: 0, over: false };
      if (closed) return settle({ outcome: 'refused', code: 'facilitator_unavailable' });
      queue.push(item);
      signAhead();
      void drain();

      function settle(sent: Sent): void {
        clearTimeout(patience);
        item.over = true;
        // Not sent yet, and now not to be sent: the caller believes it may have been, which is harmless.
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
        resolve(sent);
      }
    });
  }

  /** The only place where new nonces are given out. */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    try {
      // What arrives in one turn goes out in one request.
      await Promise.resolve();
      while (queue.length + ready.length > 0 && !closed) {
        if (ready.length > 0) await sendReady();
        else await sendSome(queue.splice(0, TOGETHER));
      }
    } finally {
      draining = false;
    }
  }

  /** The chain does not wait for our signatures while it could work on them. */
  function signAhead(): void {
    if (!sending || readyFees === undefined) return;
    while (queue.length > 0 && ready.length < TOGETHER && next !== undefined) {
      ready.push(open(next, queue.shift()!, readyFees));
      next += 1;
    }
  }

  /** Their nonces may not be free any more: back to those that are not signed. */
  function takeBack(): void {
    next = undefined;
    for (const slot of ready.splice(0).reverse()) {
      slots.delete(slot.nonce);
      // Signed ahead and never sent: who was told that nobody knows need not be charged any more.
      if (!slot.item!.over) queue.unshift(slot.item!);
    }
  }

  async function sendReady(): Promise<void> {
    readyFees = await fees.current().catch(() => undefined);
    if (readyFees === undefined) return takeBack();
    await sendOff(ready.splice(0));
  }

  async function sendOff(opened: readonly Slot[]): Promise<void> {
    sending = true;
    try {
      await broadcast(opened);
    } finally {
      sending = false;
    }
  }

  async function sendSome(items: readonly Item[]): Promise<void> {
    const prepared = closed ? 'facilitator_unavailable' : await prepare();
    if (typeof prepared === 'string') {
      for (const item of items) item.settle({ outcome: 'refused', code: prepared });
      return;
    }
    next = prepared.nonce;
    const opened: Slot[] = [];
    for (const item of items) {
      opened.push(open(next, item, prepared.fees));
      next += 1;
    }
    readyFees = prepared.fees;
    await sendOff(opened);
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
    return Math.max(await readCount('pending'), ...[...slots.keys()].map((nonce) => nonce + 1));
  }

  async function readCount(block: 'pending' | 'latest'): Promise<number> {
    const [answer] = await nodes.ask([
      { method: 'eth_getTransactionCount', params: [address, block] },
    ]);
    return Number(readQuantity(readResult(answer)));
  }

  function open(nonce: number, item: Item | null, slotFees: Fees): Slot {
    const slot: Slot = {
      nonce,
      item,
      attempts: [],
      sentAt: performance.now(),
      taken: false,
      passedBy: 0,
      stop: () => {},
    };
    slots.set(nonce, slot);
    attempt(slot, slotFees);
    return slot;
  }

  function attempt(slot: Slot, slotFees: Fees): void {
    const content = slot.item?.transaction ?? { to: address, data: '0x', gas: PLAIN_GAS };
    const { to, data, gas } = content;
    const { nonce } = slot;
    const unsigned = { chainId, nonce, to, data: data as Hex, gas, fees: slotFees };
    slot.attempts.push({ ...signTransaction(privateKey, unsigned), fees: slotFees });
  }

  async function broadcast(sent: readonly Slot[]): Promise<void> {
    const told = await tell(sent.map((slot) => newest(slot).raw));
    if (closed) return;
    const again: Item[] = [];
    for (const [i, slot] of sent.entries()) {
      slot.sentAt = performance.now();
      // Without an answer it may have been taken: it is waited for, and sent again as it is.
      const answer = told === null ? 'accepted' : told.answers[i]!;
      const sure = told !== null && !told.doubtful && !slot.taken;
      if (answer === 'accepted' || !sure) watch(slot);
      else if (answer === 'nonce_used' || answer === 'underpriced')
        await another(slot, answer, again);
      else refuse(slot, answer);
    }
    queue.unshift(...again);
    if (again.length > 0) void drain();
    closeGap(sent);
  }

  /** The same bytes once more when no node answered: a node that has them says so. */
  async function tell(
    raws: readonly Hex[],
  ): Promise<{ answers: readonly BroadcastAnswer[]; doubtful: boolean } | null> {
    const calls = raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
    let doubtful = false;
    for (let i = 0; i < 2 && !closed; i++) {
      try {
        const told = await nodes.tell(calls);
        return { answers: told.answers.map(readBroadcast), doubtful: doubtful || told.doubtful };
      } catch (error) {
        if (!(error instanceof NodesUnavailable)) throw error;
        doubtful = true;
      }
    }
    return null;
  }

  /** Its nonce belongs to somebody else, or its fee is too low for this node; no node has it. */
  async function another(slot: Slot, answer: BroadcastAnswer, again: Item[]): Promise<void> {
    takeBack();
    fees.forget();
    const { item } = slot;
    const free = await readCount('pending').catch(() => null);
    if (item !== null && ++item.tries > TRIES) return refuse(slot, 'refused');
    if (answer === 'nonce_used' || (free !== null && free > slot.nonce)) {
      drop(slot);
      if (item !== null) again.push(item);
      return;
    }
    if (!(await bump(slot))) return refuse(slot, 'refused');
    await broadcast([slot]);
  }

  function refuse(slot: Slot, answer: BroadcastAnswer): void {
    drop(slot);
    if (answer === 'no_funds') isPoor = true;
    const code = answer === 'no_funds' ? 'facilitator_out_of_gas' : 'facilitator_unavailable';
    slot.item?.settle({ outcome: 'refused', code });
  }

  function drop(slot: Slot): void {
    slot.stop();
    if (slots.get(slot.nonce) === slot) slots.delete(slot.nonce);
    takeBack();
  }

  /** A refused transaction must not keep the later ones from being mined. */
  function closeGap(sent: readonly Slot[]): void {
    const gap = sent.find(({ nonce }) => !slots.has(nonce));
    if (gap !== undefined && [...slots.keys()].some((nonce) => nonce > gap.nonce)) {
      caredAt = 0;
      void care(true);
    }
  }

  function watch(slot: Slot): void {
    slot.stop();
    slot.taken = true;
    const hashes = () => slot.attempts.map(({ hash }) => hash);
    slot.stop = receipts.watch(hashes, (receipt) => found(slot, receipt));
  }

  function found(slot: Slot, receipt: Receipt): void {
    if (slots.get(slot.nonce) === slot) slots.delete(slot.nonce);
    const won = slot.attempts.find(({ hash }) => hash === receipt.transaction)!;
    mined.add(slot.nonce, won.raw);
    // What only used up the nonce says nothing of the payment.
    slot.item?.settle({ outcome: 'mined', receipt });
  }

  /** Higher fees for the same nonce; false when the cap forbids it. */
  async function bump(slot: Slot): Promise<boolean> {
    const current = await fees.current().catch(() => null);
    const higher = bumpFees(newest(slot).fees, current, feeCap);
    if (higher === null) return false;
    attempt(slot, higher);
    return true;
  }

  /** Looks after what is not mined in time, and after what was mined and taken back by a reorganisation. */
  async function care(now = false): Promise<void> {
    const late = [...slots.values()].some(isLate);
    const look = late || (mined.isRecent() && performance.now() - caredAt > options.reorgCheckMs);
    if (caring || closed || !(look || now)) return;
    caring = true;
    try {
      caredAt = performance.now();
      await lookAfter();
    } catch (error) {
      // Looked after again soon.
      if (!(error instanceof NodesUnavailable)) throw error;
    } finally {
      caring = false;
    }
  }

  async function lookAfter(): Promise<void> {
    const [count, time] = await Promise.all([readCount('latest'), readTime()]);
    const open = [...slots.values()].filter(({ taken }) => taken).sort((a, b) => a.nonce - b.nonce);
    for (const slot of open) if (slot.nonce < count) passBy(slot, time);
    const waiting = open.filter((slot) => slot.nonce >= count && slots.has(slot.nonce));
    await fillBefore(waiting[0]?.nonce ?? mined.end(), count, waiting.length > 0);
    const [first, ...rest] = waiting;
    if (first === undefined) return;
    if (first.nonce === count && isLate(first)) await push(first, time);
    const lost = rest.filter(isLate);
    if (lost.length > 0) await tell(lost.map((slot) => newest(slot).raw));
    for (const slot of lost) slot.sentAt = performance.now();
  }

  /** The nonce is used. By us, and the receipt is still to come; or, if it does not come, by another. */
  function passBy(slot: Slot, time: number): void {
    slot.passedBy += 1;
    if (slot.passedBy < 3) return;
    drop(slot);
    const { item } = slot;
    if (item === null) return;
    if (time >= item.transaction.deadline) {
      item.settle({ outcome: 'unknown' });
      return;
    }
    queue.unshift(item);
    void drain();
  }

  /** Nonces that the chain waits for: what it had mined once, and else nothing but their use. */
  async function fillBefore(end: number, count: number, blocked: boolean): Promise<void> {
    const raws: Hex[] = [];
    for (let nonce = count; nonce < end; nonce++) {
      const raw = mined.rawOf(nonce);
      if (raw !== undefined) raws.push(raw);
      else if (blocked && !slots.has(nonce)) {
        const current = await fees.current().catch(() => null);
        if (current !== null) await broadcast([open(nonce, null, current)]);
      }
    }
    if (raws.length > 0) await tell(raws);
  }

  async function push(slot: Slot, time: number): Promise<void> {
    const { item } = slot;
    if (item !== null && time >= item.transaction.deadline) {
      // It can only fail now: the nonce is used up more cheaply, and the chain says what became of the payment.
      slot.item = null;
      item.settle({ outcome: 'unknown' });
    }
    await bump(slot);
    slot.sentAt = performance.now();
    await tell([newest(slot).raw]);
  }

  async function readTime(): Promise<number> {
    const [answer] = await nodes.ask([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ]);
    const block = readResult(answer) as { timestamp?: unknown } | null;
    return Number(readQuantity(block?.timestamp));
  }

  function isLate(slot: Slot): boolean {
    return slot.taken && performance.now() - slot.sentAt > bumpAfterMs;
  }

  function close(): void {
    closed = true;
    clearInterval(timer);
    takeBack();
    for (const item of queue.splice(0)) {
      item.settle({ outcome: 'refused', code: 'facilitator_unavailable' });
    }
    for (const slot of slots.values()) {
      slot.stop();
      slot.item?.settle({ outcome: 'unknown' });
    }
    slots.clear();
  }
}

function newest(slot: Slot): Attempt {
  return slot.attempts.at(-1)!;
}
