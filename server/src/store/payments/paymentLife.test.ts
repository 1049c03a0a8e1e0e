import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { CLAIMED_AT, claimOf } from '../../../test/paymentClaim.ts';
import type { Hex } from '../../domain/hex.ts';
import {
  PAYMENT_STATE,
  PAYMENT_STEPS,
  type PaymentState,
  type PaymentStep,
} from '../../domain/paymentLife.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { foundPayments } from './foundPayments.ts';
import type { Claim } from './paymentRow.ts';
import { payments } from './payments.ts';
import { type Observation, type WatchedPayment, watchedPayments } from './watchedPayments.ts';

const NOW = CLAIMED_AT;
/** A time after every lease has ended. */
const LATER = NOW + 100;
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };

type Act = (db: Queryable, payment: Claim, state: PaymentState) => Promise<unknown>;

const keepAnswer: Act = (db, payment) =>
  payments.keepAnswers(db, [
    { ...payment, answer: ANSWER, answerUntil: LATER, leaseUntil: payment.leaseUntil },
  ]);
const settle: Act = (db, payment) =>
  payments.settle(db, [{ ...payment, transaction: HASH, at: NOW }]);
const deliver: Act = (db, payment) =>
  payments.deliver(db, [{ ...payment, transaction: HASH, at: NOW }]);
/** Records a use in the block of the claim, before the claim. */
const find: Act = (db, payment) =>
  foundPayments.record(
    db,
    [{ ...payment, transaction: HASH, blockNumber: payment.claimedBlock! }],
    { now: NOW, finalAt: null },
  );
const lose: Act = (db, payment, state) =>
  watchedPayments.lose(db, [observationOf(payment, state)], NOW);

/** The steps by which a payment reaches each state. */
const WAYS: Readonly<Record<PaymentState, readonly Act[]>> = {
  claimed: [],
  settling: [keepAnswer],
  settled: [keepAnswer, settle],
  released: [(db, payment) => payments.releaseClaims(db, [payment], payment.owner)],
  unknown: [keepAnswer, (db, payment) => payments.doubt(db, payment, NOW)],
  lost: [keepAnswer, settle, (db, payment) => lose(db, payment, 'settled')],
  found: [find],
};

/** Every function that attempts a step; `served`: after its response was sent. */
const TRIES: Readonly<Record<PaymentStep, { readonly by: readonly Act[]; served?: true }>> = {
  claimAgain: { by: [(db, payment) => payments.claimAgain(db, { ...payment, claimedAt: LATER })] },
  keepAnswer: { by: [keepAnswer] },
  settle: { by: [settle] },
  find: { by: [find] },
  release: {
    by: [
      (db, payment) => payments.releaseClaims(db, [payment], payment.owner),
      (db, payment) => payments.releaseStale(db, payment, LATER),
    ],
  },
  releaseUnsent: { by: [(db, payment) => payments.releaseUnsent(db, payment, payment.owner)] },
  releaseUnpaid: { by: [(db, payment) => payments.releaseUnpaid(db, payment)] },
  loseUnpaid: { by: [(db, payment) => payments.loseUnpaid(db, payment, NOW)], served: true },
  loseReleased: { by: [deliver] },
  doubt: { by: [(db, payment) => payments.doubt(db, payment, NOW)] },
  lose: { by: [lose] },
  revive: {
    by: [(db, payment, state) => watchedPayments.revive(db, [observationOf(payment, state)])],
  },
};

const STATES = Object.keys(PAYMENT_STATE) as PaymentState[];
// Only the state may prevent a step.
const prepare = statement(
  'test.prepare',
  'update payment set transaction_hash = $2, delivered_at = $3 where nonce = $1',
);

describeEachEngine('the life of a payment', (open) => {
  async function walkTo(db: Queryable, state: PaymentState): Promise<Claim> {
    const payment = claimOf();
    expect(await payments.insert(db, [payment])).toHaveLength(1);
    for (const step of WAYS[state]) await step(db, payment, state);
    expect(await payments.find(db, payment)).toMatchObject({ state });
    return payment;
  }

  test.each(Object.keys(TRIES) as PaymentStep[])('default: %s', async (step) => {
    const db = await open();
    const { by, served } = TRIES[step];
    const { from, to } = PAYMENT_STEPS[step];
    for (const act of by) {
      const ends: Partial<Record<PaymentState, PaymentState>> = {};
      for (const state of STATES) {
        const payment = await walkTo(db, state);
        await db.query(prepare, [bytes(payment.nonce), bytes(HASH), served ? NOW : null]);
        await act(db, payment, state);
        ends[state] = (await payments.find(db, payment))!.state;
      }
      const moved = (state: PaymentState) =>
        (from as readonly PaymentState[]).includes(state) ? to : state;
      expect(ends).toEqual(Object.fromEntries(STATES.map((state) => [state, moved(state)])));
    }
  });

  test('behavior: a claim whose process is alive is not taken over', async () => {
    const db = await open();
    const payment = await walkTo(db, 'claimed');
    expect(await payments.claimAgain(db, { ...payment, claimedAt: NOW })).toBeUndefined();
  });
});

function observationOf(payment: Claim, state: PaymentState): Observation {
  const watched = { ...payment, state, transaction: HASH, settledAt: NOW, blockNumber: null };
  return { payment: watched as WatchedPayment, transaction: HASH, block: null, finalAt: null };
}
