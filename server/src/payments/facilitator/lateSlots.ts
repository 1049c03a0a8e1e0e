import type { Address, Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from '../chain/nodes.ts';
import { broadcast } from './broadcast.ts';
import type { FeeSource } from './fees.ts';
import { readCount } from './nonceCount.ts';
import { newest, type Slot, type Slots } from './slots.ts';

/** Handles nonces that are not mined in time, and those that a reorg removed. */
export interface LateSlots {
  /** Checks at once, because a nonce before others is missing. */
  check(): void;
  close(): void;
}

export interface LateSlotsOptions {
  readonly nodes: Nodes;
  readonly address: Address;
  readonly slots: Slots;
  readonly fees: FeeSource;
  /** Delay before an unmined transaction is sent again with a higher fee. */
  readonly bumpAfterMs: number;
  /** How often to check for a reorg that removed mined transactions. */
  readonly reorgCheckMs: number;
  /** Sends a slot for the first time. */
  send(slot: Slot): Promise<void>;
  /** Another transaction used its nonce; the payment may still succeed with a new one. */
  passedBy(slot: Slot): void;
}

/** How often a nonce may be seen used without its receipt, since RPC endpoints lag behind each other. */
const MAX_READS_WITHOUT_RECEIPT = 3;

export function createLateSlots(options: LateSlotsOptions): LateSlots {
  const { nodes, address, slots, fees, bumpAfterMs, reorgCheckMs } = options;
  let checking = false;
  let repeat = false;
  let closed = false;
  let checkedAt = 0;
  const timer = setInterval(() => void checkWhenDue(), Math.max(20, bumpAfterMs / 4));
  timer.unref();

  return { check: () => void check(), close };

  async function checkWhenDue(): Promise<void> {
    const recent = slots.mined.isRecent() && performance.now() - checkedAt > reorgCheckMs;
    if (recent || slots.list().some(isLate)) await check();
  }

  async function check(): Promise<void> {
    // The nonce that is missing now may have appeared after this check began.
    repeat = checking;
    if (checking) return;
    checking = true;
    try {
      do {
        repeat = false;
        checkedAt = performance.now();
        if (!closed) await handleLate();
      } while (repeat);
    } catch (error) {
      // Checked again soon.
      if (!(error instanceof NodesUnavailable)) throw error;
    } finally {
      checking = false;
    }
  }

  async function handleLate(): Promise<void> {
    const [count, time] = await Promise.all([readCount(nodes, address, 'latest'), readTime()]);
    const used = slots.list().filter(({ nonce, taken }) => taken && nonce < count);
    for (const slot of used) passBy(slot, time);
    // Slots that are being sent also wait for a missing nonce.
    const waiting = slots.list().filter(({ nonce }) => nonce >= count);
    await fillBefore(waiting[0]?.nonce ?? slots.mined.end(), count, waiting.length > 0);
    const [first, ...rest] = waiting;
    if (first === undefined) return;
    if (first.nonce === count && isLate(first)) await push(first, time);
    const lost = rest.filter(isLate);
    if (lost.length > 0) await rebroadcast(lost.map((slot) => newest(slot).raw));
    for (const slot of lost) slot.sentAt = performance.now();
  }

  /** The nonce is used: by this key, with the receipt still to come, or else by another sender. */
  function passBy(slot: Slot, time: number): void {
    slot.passedBy += 1;
    if (slot.passedBy < MAX_READS_WITHOUT_RECEIPT) return;
    slots.drop(slot);
    const { item } = slot;
    if (item !== null && time >= item.transaction.deadline) item.settle({ outcome: 'unknown' });
    options.passedBy(slot);
  }

  /**
   * Fills the nonces that block later ones: resends transactions that a reorg removed, and uses up the other nonces.
   */
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
    if (raws.length > 0) await rebroadcast(raws);
  }

  async function push(slot: Slot, time: number): Promise<void> {
    const { item } = slot;
    if (item !== null && time >= item.transaction.deadline) {
      // It can only fail now: uses the nonce more cheaply, and leaves the payment's status to the chain.
      slot.item = null;
      item.settle({ outcome: 'unknown' });
    }
    await slots.raise(slot);
    slot.sentAt = performance.now();
    await rebroadcast([newest(slot).raw]);
  }

  async function rebroadcast(raws: readonly Hex[]): Promise<void> {
    if (!closed) await broadcast(nodes, raws);
  }

  async function readTime(): Promise<number> {
    const params = ['latest', false];
    const [answer] = await nodes.request([{ method: 'eth_getBlockByNumber', params }]);
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
