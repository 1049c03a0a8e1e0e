import type { Hex } from '../../domain/hex.ts';
import { expiredPayments } from '../../store/payments/expiredPayments.ts';
import { type FoundTransfer, foundPayments } from '../../store/payments/foundPayments.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type {
  Claim,
  KnownPayment,
  PaymentAnswer,
  PaymentRow,
} from '../../store/payments/paymentRow.ts';
import { type Found, payments } from '../../store/payments/payments.ts';
import type { Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { createBatch } from './batch.ts';
import { nameOf } from './paymentName.ts';

/** The steps of a payment; every recorded step survives a crash. */
export interface Ledger {
  /** This process, among those on the same store. */
  readonly owner: string;
  /** Claims the payment for this request, or returns the row that has it. */
  claim(claim: Claim): Promise<Claimed>;
  find(key: PaymentKey): Promise<KnownPayment | undefined>;
  /** The same, with the number of calls that its payer has settled. */
  findWithCalls(key: PaymentKey): Promise<Pick<Found, 'row' | 'settledCalls'>>;
  /** Stores the response before anything is broadcast. False: the claim was lost, so nothing may be sent. */
  keepAnswer(key: PaymentKey, answer: PaymentAnswer, now: number): Promise<boolean>;
  /** False if it was already recorded. */
  settled(key: PaymentKey, transaction: Hex, now: number): Promise<boolean>;
  /**
   * Records a payment that the chain has, without a record of its sale. False: its sale or the payment is already
   * recorded.
   */
  found(transfer: FoundTransfer, now: number): Promise<boolean>;
  /** Releases this process's claim: nothing was broadcast. */
  released(key: PaymentKey): Promise<void>;
  /** Releases a claim whose process is gone. */
  releaseStale(key: PaymentKey, now: number): Promise<void>;
  /**
   * Releases a payment that no RPC endpoint received at its first attempt. False: this process no longer has the claim.
   */
  unsent(key: PaymentKey): Promise<boolean>;
  /** The chain shows that it was not charged and no longer can be. True: it was served nevertheless. */
  unpaid(key: PaymentKey, now: number): Promise<boolean>;
  /** Whether it was charged is unknown: any process may check. */
  doubtful(key: PaymentKey, now: number): Promise<void>;
  /** `transaction`: the settlement, as far as known. */
  delivered(key: PaymentKey, transaction: Hex, now: number): Promise<void>;
  /**
   * Whether this process may send the response to a client without an identifier; false if it was sent or another sends
   * it.
   */
  takeDelivery(key: PaymentKey, now: number): Promise<boolean>;
  /** Takes over an open payment whose owner is gone. */
  takeOver(key: PaymentKey, now: number): Promise<boolean>;
  /** For the work in flight: a crashed process stops renewing, and abandoned payments are left to others. */
  renewLeases(keys: readonly PaymentKey[], now: number): Promise<void>;
  getOpen(now: number, limit: number): Promise<PaymentRow[]>;
  /** Sent and released, and not confirmed since; those that expire first. */
  getReleased(limit: number): Promise<PaymentRow[]>;
  /** Records that the chain will never pay it. */
  confirmExpired(row: PaymentRow, now: number): Promise<void>;
  /** Deletes expired responses, and payments that were released long ago. */
  dropOld(now: number): Promise<void>;
}

export type Claimed =
  /** `sent`: it was released after it may have been sent. */
  | ({ readonly kind: 'claimed' } & Pick<PaymentRow, 'sent' | 'fromBlock' | 'claimedBlock'>)
  | { readonly kind: 'taken'; readonly row: KnownPayment }
  /** Its identifier belongs to another payment. */
  | { readonly kind: 'identifier-conflict'; readonly sent: false };

/** Renewed while work is in flight; the longest time for which a crashed process blocks its payments. */
export const LEASE_SECONDS = 15;
/** How long after its expiry a released payment is kept. */
const KEEP_RELEASED_SECONDS = 3_600;
/** The same if the chain could not be read once more. */
const KEEP_UNCONFIRMED_SECONDS = 30 * 86_400;
/** Several, so that a slow one does not delay the rest. */
const READS = { atOnce: 4 };
/** Attempts to claim while others take and release the same payment. */
const CLAIM_TRIES = 3;

export function createLedger(options: {
  readonly store: Store;
  readonly owner: string;
  /** The asset and its chain: only such payments are reconciled. */
  readonly terms: Pick<PaymentTerms, 'chainId' | 'asset'>;
  readonly keepAnswersSeconds: number;
}): Ledger {
  const { store, owner, terms, keepAnswersSeconds } = options;
  // A flood of requests costs few reads.
  const findWithCalls = createBatch(async (keys: readonly PaymentKey[]) => {
    const found = await payments.getByKeys(store, keys);
    const byName = new Map(found.map((one) => [nameOf(one), one]));
    return keys.map((key) => byName.get(nameOf(key))!);
  }, READS);
  const find = async (key: PaymentKey) => (await findWithCalls(key)).row;
  const insert = createBatch(async (claims: readonly Claim[]) => {
    const done = new Set((await payments.insert(store, claims)).map(nameOf));
    // Of two copies in one batch, the first gets the claim.
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
    find,
    findWithCalls,
    keepAnswer: (key, answer, now) =>
      keep({
        ...key,
        owner,
        answer,
        answerUntil: now + keepAnswersSeconds,
        leaseUntil: now + LEASE_SECONDS,
      }),
    settled: (key, transaction, at) => settle({ ...key, transaction, at }),
    async found(transfer, now) {
      return (await foundPayments.record(store, [transfer], { now, finalAt: null })) > 0;
    },
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
    getReleased: (limit) => expiredPayments.getDue(store, terms, limit),
    async confirmExpired(row, now) {
      await expiredPayments.confirm(store, row, now);
    },
    async dropOld(now) {
      await payments.dropAnswers(store, now);
      const unconfirmed = now - KEEP_UNCONFIRMED_SECONDS;
      await expiredPayments.drop(store, now - KEEP_RELEASED_SECONDS, unconfirmed);
    },
  };

  async function claim(wanted: Claim): Promise<Claimed> {
    const { fromBlock, claimedBlock } = wanted;
    if (await insert(wanted)) return { kind: 'claimed', sent: false, fromBlock, claimedBlock };
    let row = await find(wanted);
    if (row === undefined) return { kind: 'identifier-conflict', sent: false };
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      if (row.state === 'found') return { kind: 'taken', row };
      const free =
        row.state === 'released' ||
        (row.state === 'claimed' && row.leaseUntil < wanted.claimedAt && row.owner !== owner);
      if (!free || row.request !== wanted.request) return { kind: 'taken', row };
      const again = await payments.claimAgain(store, wanted);
      if (again !== undefined) return { kind: 'claimed', ...again };
      // Another request was faster, or the identifier was used for another payment meanwhile.
      row = (await find(wanted)) ?? row;
    }
    if (wanted.identifier === null) return { kind: 'taken', row };
    return { kind: 'identifier-conflict', sent: false };
  }
}
