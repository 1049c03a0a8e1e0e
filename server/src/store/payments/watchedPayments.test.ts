import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { CLAIMED_AT, claimOf, randomHex } from '../../../test/paymentClaim.ts';
import type { PaymentState } from '../../domain/paymentLife.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { payers } from './payers.ts';
import type { Claim } from './paymentRow.ts';
import { payments } from './payments.ts';
import { paymentReports } from './reports.ts';
import { type Observation, type WatchedPayment, watchedPayments } from './watchedPayments.ts';

const NOW = CLAIMED_AT;
const TERMS = { chainId: 8453, asset: '0x00000000000000000000000000000000000000a5' } as const;
const BLOCK = { number: 100, hash: `0x${'b1'.repeat(32)}` } as const;
const lock = statement('test.lock', 'select 1 from payment where nonce = $1 for update');

describeEachEngine('watched payments', (open, database) => {
  async function claim(changes: Partial<Claim> = {}): Promise<Claim> {
    const claimed = claimOf(changes);
    expect(await payments.insert(await open(), [claimed])).toHaveLength(1);
    return claimed;
  }

  async function keep(claimed: Claim): Promise<void> {
    const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
    const times = { answerUntil: NOW + 100, leaseUntil: NOW + 15 };
    await payments.keepAnswers(await open(), [{ ...claimed, answer, ...times }]);
  }

  async function settle(changes: Partial<Claim> = {}): Promise<WatchedPayment> {
    const claimed = await claim(changes);
    const transaction = randomHex(32);
    await keep(claimed);
    await payments.settle(await open(), [{ ...claimed, transaction, at: NOW }]);
    await payments.deliver(await open(), [{ ...claimed, transaction, at: NOW }]);
    return { ...claimed, state: 'settled', transaction, settledAt: NOW, blockNumber: null };
  }

  function seen(payment: WatchedPayment, changes: Partial<Observation> = {}): Observation {
    const { transaction } = payment;
    return { payment, transaction, block: BLOCK, finalAt: null, ...changes };
  }

  const find = async (key: WatchedPayment | Claim) => payments.find(await open(), key);
  const calls = async ({ payer }: WatchedPayment) => payers.findCalls(await open(), payer);
  const isDue = async ({ nonce }: WatchedPayment, finalized: number) => {
    const options = { finalized, after: undefined, limit: 1_000 };
    const due = await watchedPayments.getDue(await open(), TERMS, options);
    return due.some((row) => row.nonce === nonce);
  };

  test('default: due when new, when forgotten, and when final, and then never again', async () => {
    const store = await open();
    const payment = await settle();
    expect(await isDue(payment, -1)).toBe(true);
    await watchedPayments.place(store, [seen(payment)]);
    expect(await isDue(payment, 99)).toBe(false);
    expect(await isDue(payment, 100)).toBe(true);
    expect(await watchedPayments.forget(store, TERMS, 100)).toBe(0);
    expect(await isDue(payment, 99)).toBe(false);
    await watchedPayments.forget(store, TERMS, 99);
    expect(await isDue(payment, 99)).toBe(true);
    await watchedPayments.place(store, [seen(payment, { finalAt: NOW + 9 })]);
    await watchedPayments.forget(store, TERMS, 0);
    expect(await isDue(payment, 1_000)).toBe(false);
    expect(await find(payment)).toMatchObject({ blockNumber: 100, finalAt: NOW + 9 });
    // A final payment stays final.
    expect(await watchedPayments.lose(store, [seen(payment)], NOW)).toBe(0);
    expect(await find(payment)).toMatchObject({ state: 'settled', blockNumber: 100 });
  });

  test('behavior: each call of a payment is counted, subtracted when it is lost, and counted again when it is found', async () => {
    const store = await open();
    const payment = await settle({ calls: 20 });
    expect(await calls(payment)).toBe(20);
    await settle({ payer: payment.payer });
    expect(await calls(payment)).toBe(21);
    expect(await watchedPayments.lose(store, [seen(payment, { block: null })], NOW)).toBe(1);
    expect(await calls(payment)).toBe(1);
    const lost = { ...payment, state: 'lost' } as const;
    await watchedPayments.revive(store, [seen(lost)]);
    expect(await calls(payment)).toBe(21);
  });

  test('behavior: all due payments are returned page by page, each once', async () => {
    const store = await open();
    const asset = randomHex(20);
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, i) =>
        settle({ asset, ...(i < 3 && { payer: randomHex(20) }) }),
      ),
    );
    const nonces: string[] = [];
    let after: WatchedPayment | undefined;
    do {
      const options = { finalized: 0, after, limit: 3 };
      const page = await watchedPayments.getDue(store, { ...TERMS, asset }, options);
      nonces.push(...page.map(({ nonce }) => nonce));
      after = page.length < 3 ? undefined : page.at(-1);
    } while (after !== undefined);
    expect(nonces.sort()).toEqual(made.map(({ nonce }) => nonce).sort());
    expect(await watchedPayments.hasAny(store, { ...TERMS, asset })).toBe(true);
    expect(await watchedPayments.hasAny(store, { ...TERMS, asset: randomHex(20) })).toBe(false);
  });

  test('behavior: a lost and a found payment count once each, however often they are reported', async () => {
    const store = await open();
    const payer = randomHex(20);
    const [payment, other] = [
      await settle({ payer, identifier: 'its_name' }),
      await settle({ payer }),
    ];
    expect(await calls(payment)).toBe(2);
    expect(await watchedPayments.lose(store, [seen(payment)], NOW + 5)).toBe(1);
    expect(await watchedPayments.lose(store, [seen(payment)], NOW + 6)).toBe(0);
    expect(await calls(payment)).toBe(1);
    expect(await find(payment)).toMatchObject({ state: 'lost', identifier: 'its_name' });
    const again = await settle({ payer, identifier: 'its_name' });
    const lost = { ...payment, state: 'lost' } as const;
    const transaction = randomHex(32);
    await watchedPayments.revive(store, [seen(lost, { transaction })]);
    await watchedPayments.revive(store, [seen(lost, { transaction })]);
    expect(await calls(payment)).toBe(3);
    expect(await find(payment)).toMatchObject({ state: 'settled', identifier: null, transaction });
    expect(await find(again)).toMatchObject({ identifier: 'its_name' });
    expect(await find(other)).toMatchObject({ state: 'settled', blockNumber: null });
  });

  test('behavior: a concurrent write wins', async () => {
    const store = await open();
    const payment = await settle();
    const transaction = randomHex(32);
    await watchedPayments.place(store, [seen(payment, { transaction, block: null })]);
    // A row from an earlier check.
    await watchedPayments.place(store, [seen(payment)]);
    expect(await watchedPayments.lose(store, [seen(payment)], NOW)).toBe(0);
    expect(await find(payment)).toMatchObject({ state: 'settled', transaction, blockNumber: null });
  });

  test.each<PaymentState>(['claimed', 'settling', 'released', 'unknown'])(
    'behavior: a payment that is %s is not changed',
    async (state) => {
      const store = await open();
      const claimed = await claim();
      if (state === 'released') await payments.releaseClaims(store, [claimed], 'one');
      if (state === 'settling' || state === 'unknown') await keep(claimed);
      if (state === 'unknown') await payments.doubt(store, claimed, NOW);
      const before = await find(claimed);
      expect(before?.state).toBe(state);
      const rest = { transaction: randomHex(32), settledAt: NOW, blockNumber: null };
      for (const as of ['settled', 'lost'] as const) {
        const payment = { ...claimed, ...rest, state: as };
        await watchedPayments.place(store, [seen(payment)]);
        await watchedPayments.lose(store, [seen(payment)], NOW);
        await watchedPayments.revive(store, [seen(payment)]);
        const by = { owner: 'two', leaseUntil: NOW + 99, now: NOW + 50 };
        expect(await watchedPayments.takeUp(store, payment, by)).toBe(false);
      }
      await watchedPayments.forget(store, TERMS, 0);
      expect(await find(claimed)).toEqual(before);
    },
  );

  test('behavior: one process at a time resends a dropped payment', async () => {
    const store = await open();
    const payment = await settle();
    const take = (owner: string, now: number) =>
      watchedPayments.takeUp(store, payment, { owner, leaseUntil: now + 45, now });
    expect(await take('two', NOW + 1)).toBe(false);
    expect(await take('one', NOW + 1)).toBe(true);
    expect(await take('two', NOW + 20)).toBe(false);
    expect(await take('two', NOW + 47)).toBe(true);
    expect(await take('one', NOW + 48)).toBe(false);
  });

  test('behavior: a row that is being written is left for the next time, and nothing waits', async () => {
    // One connection cannot lock itself out.
    if (database().engine === 'pglite') return;
    const [store, other] = [await open(), await database().open()];
    const [locked, free] = [await settle(), await settle()];
    await watchedPayments.place(store, [seen(locked), seen(free)]);
    await other.transaction(async (tx: Queryable) => {
      await tx.query(lock, [bytes(locked.nonce)]);
      expect(await watchedPayments.forget(store, TERMS, 99)).toBe(1);
      expect(await find(free)).toMatchObject({ blockNumber: null });
      expect(await watchedPayments.lose(store, [seen(locked), seen(free)], NOW)).toBe(1);
    });
    expect(await find(locked)).toMatchObject({ state: 'settled', blockNumber: 100 });
    expect(await watchedPayments.forget(store, TERMS, 99)).toBe(0);
    expect(await find(free)).toMatchObject({ state: 'lost' });
  });

  test('behavior: reports have gross, refunded, and net; lost payments are in none of them', async () => {
    const store = await open();
    const [route, payer] = ['reported', randomHex(20)];
    const [first, second, third, fourth] = [
      await settle({ route, payer, value: 1n }),
      await settle({ route, payer, value: 20n }),
      await settle({ route, payer, value: 300n }),
      await settle({ route, payer, value: 4_000n }),
    ];
    for (const key of [second!, fourth!]) {
      const by = { transaction: randomHex(32), now: NOW + 3 };
      expect(await paymentReports.refund(store, key, by)).toBe(true);
    }
    await watchedPayments.lose(store, [seen(third!), seen(fourth!)], NOW + 5);
    // The last was refunded, and then reverted by a reorg.
    const expected = { calls: 2, gross: 21n, refunded: 4_020n, net: -3_999n };
    const views = [
      ['route', route],
      ['payer', payer],
    ] as const;
    for (const [view, name] of views) {
      const rows = await paymentReports.getRevenue(store, view, NOW, NOW + 1);
      expect(rows.find((row) => row.name === name)).toEqual({ name, ...expected });
    }
    const [day] = await paymentReports.getRevenue(store, 'day', NOW, NOW + 1);
    expect(day!.net).toBe(day!.gross - day!.refunded);
    expect((await paymentReports.getLost(store, 100)).map(({ nonce }) => nonce)).toEqual(
      expect.arrayContaining([third!.nonce, fourth!.nonce]),
    );
    const refund = { transaction: randomHex(32), now: NOW };
    expect(await paymentReports.refund(store, third!, refund)).toBe(false);
    expect(await find(first!)).toMatchObject({ state: 'settled' });
  });
});
