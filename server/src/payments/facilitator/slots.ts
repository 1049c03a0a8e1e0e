import type { Address, Hex } from '../../domain/hex.ts';
import type { Receipt } from '../chain/receipt.ts';
import { bumpFees, type FeeSource, type Fees } from './fees.ts';
import type { ReceiptPoll } from './receiptPoll.ts';
import { createSentLog, type SentLog } from './sentLog.ts';
import { type SignedTransaction, signTransaction } from './signedTransaction.ts';
import type { Sent, Transaction } from './transaction.ts';

/** A transaction and the caller that waits for it. */
export interface Item {
  readonly transaction: Transaction;
  settle(sent: Sent): void;
  tries: number;
  /** Whether an RPC endpoint has it, or may have it: it may be mined, whatever comes later. */
  sent: boolean;
  /** Whether its caller has a result and no longer waits. */
  over: boolean;
}

interface Attempt extends SignedTransaction {
  readonly fees: Fees;
  /** Null: it only uses up the nonce. */
  readonly transaction: Transaction | null;
}

/** A nonce in use. */
export interface Slot {
  readonly nonce: number;
  /** Null: the nonce only has to be used up. */
  item: Item | null;
  /** Newest last; any may be mined. */
  readonly attempts: Attempt[];
  sentAt: number;
  /** Whether an RPC endpoint has it, or may have it; false during the first broadcast. */
  taken: boolean;
  /** Whether an RPC endpoint required the nonces before it first. */
  early: boolean;
  /** Abandoned, without using its nonce. */
  dropped: boolean;
  /** How often its nonce was seen used without a receipt of this key. */
  passedBy: number;
  stop(): void;
}

/** The nonces of one key in use, from signature to receipt. */
export interface Slots {
  /** Recently mined transactions. */
  readonly mined: SentLog;
  size(): number;
  has(nonce: number): boolean;
  /** In order of their nonces. */
  list(): Slot[];
  /** After the last nonce in use; 0 when there is none. */
  end(): number;
  /** Signs the first transaction for a nonce. */
  open(nonce: number, item: Item | null, fees: Fees): Slot;
  /** Signs the same transaction with higher fees; false if that exceeds the cap. */
  raise(slot: Slot): Promise<boolean>;
  /** Waits for its receipt: it may be mined from now on, or already is. */
  watch(slot: Slot, delayMs?: number): void;
  mine(slot: Slot, receipt: Receipt): void;
  drop(slot: Slot): void;
  close(): void;
}

export interface SlotsOptions {
  readonly privateKey: Hex;
  readonly address: Address;
  readonly chainId: number;
  readonly receipts: ReceiptPoll;
  readonly fees: FeeSource;
  /** Wei per gas; also for replacements. */
  readonly feeCap: bigint;
}

const PLAIN_GAS = 21_000n;

export function createSlots(options: SlotsOptions): Slots {
  const { privateKey, address, chainId, receipts, fees, feeCap } = options;
  const slots = new Map<number, Slot>();
  const mined = createSentLog();

  return {
    mined,
    size: () => slots.size,
    has: (nonce) => slots.has(nonce),
    list: () => [...slots.values()].sort((a, b) => a.nonce - b.nonce),
    end: () => Math.max(0, ...[...slots.keys()].map((nonce) => nonce + 1)),
    open,
    raise,
    watch,
    mine,
    drop,
    close,
  };

  function open(nonce: number, item: Item | null, slotFees: Fees): Slot {
    const slot: Slot = {
      nonce,
      item,
      attempts: [],
      sentAt: performance.now(),
      taken: false,
      early: false,
      dropped: false,
      passedBy: 0,
      stop: () => {},
    };
    slots.set(nonce, slot);
    sign(slot, slotFees);
    return slot;
  }

  function sign(slot: Slot, slotFees: Fees): void {
    const transaction = slot.item?.transaction ?? null;
    const { to, data, gas } = transaction ?? { to: address, data: '0x', gas: PLAIN_GAS };
    const { nonce } = slot;
    const unsigned = { chainId, nonce, to, data: data as Hex, gas, fees: slotFees };
    const signed = signTransaction(privateKey, unsigned);
    slot.attempts.push({ ...signed, fees: slotFees, transaction });
  }

  async function raise(slot: Slot): Promise<boolean> {
    const current = await fees.current().catch(() => null);
    const higher = bumpFees(newest(slot).fees, current, feeCap);
    if (higher === null) return false;
    sign(slot, higher);
    return true;
  }

  function watch(slot: Slot, delayMs = 0): void {
    slot.stop();
    slot.taken = true;
    if (slot.item !== null) slot.item.sent = true;
    const hashes = () => slot.attempts.map(({ hash }) => hash);
    slot.stop = receipts.watch(hashes, (receipt) => mine(slot, receipt), delayMs);
  }

  function mine(slot: Slot, receipt: Receipt): void {
    slot.stop();
    if (slots.get(slot.nonce) === slot) slots.delete(slot.nonce);
    const won = slot.attempts.find(({ hash }) => hash === receipt.transaction)!;
    mined.add(slot.nonce, won.raw);
    won.transaction?.mined?.(receipt);
    // A transaction that only used up the nonce means nothing for the payment.
    slot.item?.settle({ outcome: 'mined', receipt });
  }

  function drop(slot: Slot): void {
    slot.stop();
    slot.dropped = true;
    if (slots.get(slot.nonce) === slot) slots.delete(slot.nonce);
  }

  function close(): void {
    for (const slot of slots.values()) {
      slot.stop();
      slot.item?.settle({ outcome: 'unknown' });
    }
    slots.clear();
  }
}

export function newest(slot: Slot): SignedTransaction & { readonly fees: Fees } {
  return slot.attempts.at(-1)!;
}
