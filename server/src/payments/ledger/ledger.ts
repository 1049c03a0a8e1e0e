import type { Address, Hex } from '../../domain/hex.ts';
import { expiredPayments } from '../../store/payments/expiredPayments.ts';
import { payers } from '../../store/payments/payers.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { Claim, PaymentAnswer, PaymentRow } from '../../store/payments/paymentRow.ts';
import { payments } from '../../store/payments/payments.ts';
import type { Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { createBatch } from './batch.ts';
import { nameOf } from './paymentName.ts';

/** What a process does with a payment; everything in it survives a crash. */
export interface Ledger {
  /** This process, among those on the same store. */
  readonly owner: string;
  /** Makes the payment this request's own, or says who has it. */
  claim(claim: Claim): Promise<Claimed>;
  find(key: PaymentKey): Promise<PaymentRow | undefined>;
  /** The answer is kept before anything is broadcast. False: the claim is no longer ours, nothing may be sent. */
  keepAnswer(key: PaymentKey, answer: PaymentAnswer, now: number): Promise<boolean>;
  /** False when that was written down before. */
  settled(key: PaymentKey, transaction: Hex, now: number): Promise<boolean>;
  /** Releases this process's claim: nothing was broadcast. */
  released(key: PaymentKey): Promise<void>;
  /** Releases a claim whose process is gone. */
  releaseStale(key: PaymentKey, now: number): Promise<void>;
  /** The first attempt to send it failed before anybody saw it. False: it is no longer this process's to release. */
  unsent(key: PaymentKey): Promise<boolean>;
  /** The chain says that it was not charged and cannot be any more. True: it was served nevertheless. */
  unpaid(key: PaymentKey, now: number): Promise<boolean>;
  /** Nobody knows whether it was charged: anybody may find out. */
  doubtful(key: PaymentKey, now: number): Promise<void>;
  /** `transaction`: what settled it, as far as is known. */
  delivered(key: PaymentKey, transaction: Hex, now: number): Promise<void>;
  /** Whether the answer is this process's to send to who cannot name it; false: it was sent, or another sends it. */
  takeDelivery(key: PaymentKey, now: number): Promise<boolean>;
  /** Takes over an open payment whose owner is gone. */
  takeOver(key: PaymentKey, now: number): Promise<boolean>;
  /** Of the work in flight: a crashed process stops doing this, and what was given up is left to others. */
  renewLeases(keys: readonly PaymentKey[], now: number): Promise<void>;
  getOpen(now: number, limit: number): Promise<PaymentRow[]>;
  /** Sent and released, with an end before this time, and not confirmed since. */
  getExpired(validBefore: number, limit: number): Promise<PaymentRow[]>;
  /** The chain will never pay it. */
  confirmExpired(row: PaymentRow, now: number): Promise<void>;
  /** Answers past their time, and payments that came to nothing long ago. */
  dropOld(now: number): Promise<void>;
  findCalls(payer: Address): Promise<number>;
}

export type Claimed =
  /** `sent`: it was released after it may have been sent. `fromBlock`: a block before which it was not used. */
  | { readonly kind: 'claimed'; readonly sent: boolean; readonly fromBlock: number }
  | { readonly kind: 'taken'; readonly row: PaymentRow }
  /** Its identifier stands for another payment. */
  | { readonly kind: 'identifier-conflict'; readonly sent: false };

/** Renewed while work is in flight; so long may a crashed process block its payments. */
export const LEASE_SECONDS = 15;
/** So long after its end a payment that came to nothing is still known. */
const KEEP_RELEASED_SECONDS = 3_600;
/** The same where the chain could not be asked once more. */
const KEEP_UNCONFIRMED_SECONDS = 30 * 86_400;
/** How often a claim is tried while others take and free the same payment. */
const CLAIM_TRIES = 3;

export function createLedger(options: {
  readonly store: Store;
  readonly owner: string;
  /** What is paid with: only such payments are reconciled. */
  readonly terms: Pick<PaymentTerms, 'chainId' | 'asset'>;
  readonly keepAnswersSeconds: number;
}): Ledger {
  const { store, owner, terms, keepAnswersSeconds } = options;
  const insert = createBatch(async (claims: readonly Claim[]) => {
    const done = new Set((await payments.insert(store, claims)).map(nameOf));
    // Two copies in one batch: the first has it.
    return claims.map((claim) => done.delete(nameOf(claim)));
  });
  const keep = createBatch(
    async (answers: readonly Parameters<typeof payments.keepAnswers>[1][number][]) => {
      const done = new Set((await payments.keepAnswers(store, answers)).map(nameOf));
      return answers.map((answer) => done.has(nameOf(answer)));
    },
  );
  const settle = createBatch(
    async (settled: readonly Parameters<typeof payments.settle>[1][number][]) => {
      const done = new Set((await payments.settle(store, settled)).map(nameOf));
      return settled.map((one) => done.delete(nameOf(one)));
    },
  );
  const release = createBatch(async (keys: readonly PaymentKey[]) => {
    await payments.releaseClaims(store, keys, owner);
    return keys.map(() => undefined);
  });
  const deliver = createBatch(
    async (delivered: readonly Parameters<typeof payments.deliver>[1][number][]) => {
      await payments.deliver(store, delivered);
      return delivered.map(() => undefined);
    },
  );

  return {
    owner,
    claim,
    find: (key) => payments.find(store, key),
    keepAnswer: (key, answer, now) =>
      keep({
        ...key,
        owner,
        answer,
        answerUntil: now + keepAnswersSeconds,
        leaseUntil: now + LEASE_SECONDS,
      }),
    settled: (key, transaction, at) => settle({ ...key, transaction, at }),
    released: (key) => release(key),
    async releaseStale(key, now) {
      await payments.releaseStale(store, key, now);
    },
    unsent: (key) => payments.releaseUnsent(store, key, owner),
    async unpaid(key, now) {
      if (await payments.loseUnpaid(store, key, now)) return true;
      await payments.releaseUnpaid(store, key);
      return false;
    },
    async doubtful(key, now) {
      await payments.doubt(store, key, now - 1);
    },
    delivered: (key, transaction, at) => deliver({ ...key, transaction, at }),
    takeDelivery: (key, now) =>
      payments.takeDelivery(store, key, { owner, leaseUntil: now + LEASE_SECONDS, now }),
    takeOver: (key, now) =>
      payments.takeOver(store, key, { owner, leaseUntil: now + LEASE_SECONDS, now }),
    async renewLeases(keys, now) {
      await payments.renew(store, keys, owner, now + LEASE_SECONDS);
    },
    getOpen: (now, limit) => payments.getOpen(store, terms, now, limit),
    getExpired: (validBefore, limit) => expiredPayments.getDue(store, terms, validBefore, limit),
    async confirmExpired(row, now) {
      await expiredPayments.confirm(store, row, now);
    },
    async dropOld(now) {
      await payments.dropAnswers(store, now);
      const unconfirmed = now - KEEP_UNCONFIRMED_SECONDS;
      await expiredPayments.drop(store, now - KEEP_RELEASED_SECONDS, unconfirmed);
    },
    findCalls: (payer) => payers.findCalls(store, payer),
  };

  async function claim(wanted: Claim): Promise<Claimed> {
    const { fromBlock } = wanted;
    if (await insert(wanted)) return { kind: 'claimed', sent: false, fromBlock };
    let row = await payments.find(store, wanted);
    if (row === undefined) return { kind: 'identifier-conflict', sent: false };
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      const free =
        row.state === 'released' ||
        (row.state === 'claimed' && row.leaseUntil < wanted.claimedAt && row.owner !== owner);
      if (!free || row.request !== wanted.request) return { kind: 'taken', row };
      const again = await payments.claimAgain(store, wanted);
      if (again !== undefined) return { kind: 'claimed', ...again };
      // Somebody was faster, or the identifier has been used for another payment meanwhile.
      row = (await payments.find(store, wanted)) ?? row;
    }
    if (wanted.identifier === null) return { kind: 'taken', row };
    return { kind: 'identifier-conflict', sent: false };
  }
}
