import type { Address, Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from '../chain/nodes.ts';
import { broadcast } from './broadcast.ts';
import type { FeeSource } from './fees.ts';
import { readCount } from './nonceCount.ts';
import { newest, type Slot, type Slots } from './slots.ts';

/** Looks after nonces that are not mined in time, and after those mined and taken back by a reorganisation. */
export interface LateSlots {
  /** At once: a nonce is missing before others. */
  look(): void;
  close(): void;
}

export interface LateSlotsOptions {
  readonly nodes: Nodes;
  readonly address: Address;
  readonly slots: Slots;
  readonly fees: FeeSource;
  /** When a transaction that is not mined is sent again with a higher fee. */
  readonly bumpAfterMs: number;
  /** How often the chain is asked whether it took back what it had mined. */
  readonly reorgCheckMs: number;
  /** Sends a slot for the first time. */
  send(slot: Slot): Promise<void>;
  /** Its nonce was used by another, and it may still succeed with a new one. */
  passedBy(slot: Slot): void;
}

/** How often a nonce is seen used before its receipt is waited for no more: nodes may lag behind each other. */
const PATIENCE = 3;

export function createLateSlots(options: LateSlotsOptions): LateSlots {
  const { nodes, address, slots, fees, bumpAfterMs, reorgCheckMs } = options;
  let looking = false;
  let again = false;
  let closed = false;
  let lookedAt = 0;
  const timer = setInterval(() => void lookWhenDue(), Math.max(20, bumpAfterMs / 4));
  timer.unref();

  return { look: () => void look(), close };

  async function lookWhenDue(): Promise<void> {
    const recent = slots.mined.isRecent() && performance.now() - lookedAt > reorgCheckMs;
    if (recent || slots.list().some(isLate)) await look();
  }

  async function look(): Promise<void> {
    // What is missing now may have come up after this look began.
    again = looking;
    if (looking) return;
    looking = true;
    try {
      do {
        again = false;
        lookedAt = performance.now();
        if (!closed) await lookAfter();
      } while (again);
    } catch (error) {
      // Looked after again soon.
      if (!(error instanceof NodesUnavailable)) throw error;
    } finally {
      looking = false;
    }
  }

  async function lookAfter(): Promise<void> {
    const [count, time] = await Promise.all([readCount(nodes, address, 'latest'), readTime()]);
    const used = slots.list().filter(({ nonce, taken }) => taken && nonce < count);
    for (const slot of used) passBy(slot, time);
    // Those that are being sent stand behind a missing nonce as well.
    const waiting = slots.list().filter(({ nonce }) => nonce >= count);
    await fillBefore(waiting[0]?.nonce ?? slots.mined.end(), count, waiting.length > 0);
    const [first, ...rest] = waiting;
    if (first === undefined) return;
    if (first.nonce === count && isLate(first)) await push(first, time);
    const lost = rest.filter(isLate);
    if (lost.length > 0) await broadcastAgain(lost.map((slot) => newest(slot).raw));
    for (const slot of lost) slot.sentAt = performance.now();
  }

  /** The nonce is used. By us, and the receipt is still to come; or, if it does not come, by another. */
  function passBy(slot: Slot, time: number): void {
    slot.passedBy += 1;
    if (slot.passedBy < PATIENCE) return;
    slots.drop(slot);
    const { item } = slot;
    if (item !== null && time >= item.transaction.deadline) item.settle({ outcome: 'unknown' });
    options.passedBy(slot);
  }

  /** Nonces that the chain waits for: what it had mined once, and else nothing but their use. */
  async function fillBefore(end: number, count: number, blocked: boolean): Promise<void> {
    const raws: Hex[] = [];
    for (let nonce = count; nonce < end; nonce++) {
      const raw = slots.mined.rawOf(nonce);
      if (raw !== undefined) raws.push(raw);
      else if (blocked && !slots.has(nonce)) {
        const current = await fees.current().catch(() => null);
        if (current !== null) await options.send(slots.open(nonce, null, current));
      }
    }
    if (raws.length > 0) await broadcastAgain(raws);
  }

  async function push(slot: Slot, time: number): Promise<void> {
    const { item } = slot;
    if (item !== null && time >= item.transaction.deadline) {
      // It can only fail now: the nonce is used up more cheaply, and the chain says what became of the payment.
      slot.item = null;
      item.settle({ outcome: 'unknown' });
    }
    await slots.raise(slot);
    slot.sentAt = performance.now();
    await broadcastAgain([newest(slot).raw]);
  }

  async function broadcastAgain(raws: readonly Hex[]): Promise<void> {
    if (!closed) await broadcast(nodes, raws);
  }

  async function readTime(): Promise<number> {
    const params = ['latest', false];
    const [answer] = await nodes.ask([{ method: 'eth_getBlockByNumber', params }]);
    const block = readResult(answer) as { timestamp?: unknown } | null;
    return Number(readQuantity(block?.timestamp));
  }

  function isLate(slot: Slot): boolean {
    return slot.taken && performance.now() - slot.sentAt > bumpAfterMs;
  }

  function close(): void {
    closed = true;
    clearInterval(timer);
  }
}
