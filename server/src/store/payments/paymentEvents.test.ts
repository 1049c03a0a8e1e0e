import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { CLAIMED_AT, claimOf, randomHex } from '../../../test/paymentClaim.ts';
import type { Config } from '../../config/config.ts';
import { EVENTS_START, type EventFilter, type FeedEvent } from '../../domain/events/event.ts';
import { checksummed } from '../../http/checksum.ts';
import { createEventFeed } from '../../http/events/eventFeed.ts';
import { events } from '../events/events.ts';
import { statement } from '../store.ts';
import { foundPayments } from './foundPayments.ts';
import type { Claim } from './paymentRow.ts';
import { payments } from './payments.ts';
import { paymentReports } from './reports.ts';
import { type Observation, type WatchedPayment, watchedPayments } from './watchedPayments.ts';

const NOW = CLAIMED_AT;
const BLOCK = { number: 100, hash: `0x${'b1'.repeat(32)}` } as const;
const config = { families: [], chains: [] } as unknown as Config;
const age = statement('test.paymentEvents.age', 'update event_batch set committed_at = 100');
const count = statement(
  'test.paymentEvents.count',
  'select count(*) as "count" from payment_event',
);

describeEachEngine('payment events', (open) => {
  const read = async (isOperator: boolean, filter: EventFilter, after = EVENTS_START) => {
    const store = await open();
    const feed = createEventFeed({
      ...{ config, store: { reads: store }, onCommit: () => () => {}, isOperator },
    });
    return feed.read(after, filter, 1_000);
  };
  const ofPayer = async ({ payer }: Pick<Claim, 'payer'>) =>
    (await read(true, { types: ['payment'], user: payer })).events;
  const statesOf = (all: readonly FeedEvent[]) => all.map(({ state }) => state);

  async function settle(changes: Partial<Claim> = {}, count = 1): Promise<WatchedPayment[]> {
    const store = await open();
    const claims = Array.from({ length: count }, () => claimOf(changes));
    await payments.insert(store, claims);
    const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
    const times = { answerUntil: NOW + 100, leaseUntil: NOW + 15 };
    await payments.keepAnswers(
      store,
      claims.map((claim) => ({ ...claim, answer, ...times })),
    );
    const settled = claims.map((claim) => ({ ...claim, transaction: randomHex(32), at: NOW }));
    await payments.settle(store, settled);
    return settled.map((claim) => {
      return { ...claim, state: 'settled', settledAt: NOW, blockNumber: null } as const;
    });
  }

  function seen(payment: WatchedPayment, changes: Partial<Observation> = {}): Observation {
    return { payment, transaction: payment.transaction, block: BLOCK, finalAt: null, ...changes };
  }

  test('default: charged, then final', async () => {
    const store = await open();
    const [payment] = await settle({ route: 'dependencies', calls: 3 });
    await payments.deliver(store, [{ ...payment!, at: NOW }]);
    await watchedPayments.place(store, [seen(payment!)]);
    await watchedPayments.place(store, [seen(payment!, { finalAt: NOW + 9 })]);
    const { asset, payer, payTo, nonce, chainId, transaction } = payment!;
    const data = {
      asset: checksummed(asset),
      payer: checksummed(payer),
      payTo: checksummed(payTo),
      ...{ nonce, amount: '50000', route: 'dependencies', calls: 3, isRecorded: true },
      ...{ transactionHash: transaction, settledAt: NOW, finalAt: null },
      ...{ refundedAt: null, refundHash: null },
    };
    const id = `${chainId}-${asset}-${payer}-${nonce}`;
    const common = { type: 'payment', id, family: null, chainId, user: payer, blockTimestamp: NOW };
    expect(await ofPayer(payment!)).toMatchObject([
      { ...common, state: 'applied', blockNumber: 0, isFinal: false, data },
      {
        ...common,
        state: 'final',
        blockNumber: 100,
        isFinal: true,
        data: { ...data, finalAt: NOW + 9 },
      },
    ]);
    const final = await read(true, { types: ['payment'], user: payer, delivery: 'final' });
    expect(statesOf(final.events)).toEqual(['final']);
  });

  test('behavior: a reorg retracts it, and it can come back in another transaction', async () => {
    const store = await open();
    const [payment] = await settle();
    const transaction = randomHex(32);
    expect(await watchedPayments.lose(store, [seen(payment!, { block: null })], NOW)).toBe(1);
    await watchedPayments.revive(store, [seen({ ...payment!, state: 'lost' }, { transaction })]);
    const all = await ofPayer(payment!);
    expect(statesOf(all)).toEqual(['applied', 'retracted', 'applied']);
    expect(all.map(({ data }) => data.transactionHash)).toEqual([
      payment!.transaction,
      payment!.transaction,
      transaction,
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test('behavior: found on chain without a record, and taken back', async () => {
    const store = await open();
    const { chainId, asset, payer, nonce, value, payTo } = claimOf();
    const transfer = { chainId, asset, payer, nonce, value, payTo };
    const found = { ...transfer, transaction: randomHex(32), blockNumber: 50 };
    await foundPayments.record(store, [found], { now: NOW, finalAt: null });
    await foundPayments.takeBack(store, found);
    await foundPayments.record(store, [found], { now: NOW, finalAt: NOW });
    const all = await ofPayer(found);
    expect(statesOf(all)).toEqual(['applied', 'retracted', 'final']);
    expect(all[0]).toMatchObject({ blockNumber: 50, data: { isRecorded: false, route: null } });
  });

  test('behavior: a refund changes the row', async () => {
    const store = await open();
    const [payment] = await settle();
    const transaction = randomHex(32);
    const now = NOW + 50;
    expect(await paymentReports.refund(store, payment!, { transaction, now })).toBe(true);
    const all = await ofPayer(payment!);
    expect(statesOf(all)).toEqual(['applied', 'applied']);
    expect(all[1]!.data).toMatchObject({ refundHash: transaction, refundedAt: now });
  });

  test('behavior: an uncharged payment has no event', async () => {
    const store = await open();
    const claimed = claimOf();
    await payments.insert(store, [claimed]);
    await payments.releaseClaims(store, [claimed], claimed.owner);
    expect(await ofPayer(claimed)).toEqual([]);
  });

  test('behavior: payments of one statement are one batch', async () => {
    const settled = await settle({ payer: randomHex(20) }, 50);
    const all = await ofPayer(settled[0]!);
    expect(all).toHaveLength(50);
    expect(new Set(all.map(({ position }) => position.batch)).size).toBe(1);
    expect(new Set(all.map(({ id }) => id)).size).toBe(50);
  });

  test('behavior: an aborted transaction leaves nothing', async () => {
    const store = await open();
    const [payment] = await settle();
    const change = store.transaction(async (tx) => {
      await watchedPayments.lose(tx, [seen(payment!, { block: null })], NOW);
      throw new Error('aborted');
    });
    await expect(change).rejects.toThrow('aborted');
    expect(statesOf(await ofPayer(payment!))).toEqual(['applied']);
  });

  test('behavior: the public feed has none, not even for a reader that names them', async () => {
    const [payment] = await settle();
    const user = payment!.payer;
    for (const filter of [{}, { user }, { types: ['payment'] }, { chainId: 8453 }] as const) {
      expect((await read(false, filter)).events.map(({ type }) => type)).not.toContain('payment');
    }
    // The operator's feed does not include them either, unless it requests them.
    expect((await read(true, { user })).events).toEqual([]);
  });

  test('behavior: old ones are removed with their batches', async () => {
    const store = await open();
    await settle();
    await settle();
    await store.query(age);
    await events.prune(store, 200, []);
    // The newest batch stays.
    expect(await store.query(count)).toEqual([{ count: 1 }]);
  });
});
