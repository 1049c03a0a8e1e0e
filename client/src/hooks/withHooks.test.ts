import { describe, expect, test } from 'vitest';
import { openPayment } from '../../test/openPayment.ts';
import { createLedger } from '../pay/ledger.ts';
import { createMemoryStore } from '../pay/memoryStore.ts';
import { recordOf } from '../pay/present.ts';
import { type SpendHooks, withHooks } from './withHooks.ts';

const PAYMENT = openPayment({ url: 'https://a.example/1', reservedAt: 10 });

function open(hooks: SpendHooks = {}) {
  const events: string[] = [];
  const store = withHooks(createMemoryStore(), {
    onEvent: ({ type, paymentId, amount }) => events.push(`${type} ${paymentId} ${amount}`),
    ...hooks,
  });
  return { events, store, ledger: createLedger(store, { perCall: 100n, total: 100n }, () => 20) };
}

describe('withHooks', () => {
  test('default: each step of a purchase, and the settlement', async () => {
    const settled: unknown[] = [];
    const { events, ledger } = open({ afterSettle: (payment) => settled.push(payment) });
    await ledger.reserve(PAYMENT, {});
    await ledger.signed('a', 'header');
    await ledger.doubted('a');
    await ledger.spent(recordOf(PAYMENT, 'charged', 30, null));
    // Another process was first.
    await ledger.spent(recordOf(PAYMENT, 'charged', 30, null));
    await ledger.answered('a');
    expect(events).toEqual([
      'reserved a 50',
      'signed a 50',
      'doubtful a 50',
      'charged a 50',
      'answered a 50',
    ]);
    expect(settled).toMatchObject([{ id: 'a', outcome: 'charged', amount: 50n }]);
    expect(settled[0]).not.toHaveProperty('header');
  });

  test('behavior: freed and written-off payments are not settlements', async () => {
    const settled: unknown[] = [];
    const { events, ledger } = open({ afterSettle: (payment) => settled.push(payment) });
    await ledger.reserve(PAYMENT, {});
    await ledger.freed(PAYMENT);
    await ledger.reserve({ ...PAYMENT, id: 'b' }, {});
    await ledger.spent(recordOf({ ...PAYMENT, id: 'b' }, 'written-off', 80, null));
    expect(events).toEqual(['reserved a 50', 'freed a 50', 'reserved b 50', 'written-off b 50']);
    expect(settled).toEqual([]);
  });

  test('behavior: a change that throws is not an event, and a hook that throws stops nothing', async () => {
    const errors: unknown[] = [];
    const { ledger, store } = open({
      onEvent: () => Promise.reject(new Error('the listener')),
      afterSettle: () => {
        throw new Error('the hook');
      },
      onError: (error) => errors.push((error as Error).message),
    });
    await expect(ledger.reserve({ ...PAYMENT, amount: '101' }, {})).rejects.toMatchObject({
      type: 'over_cap',
    });
    expect(errors).toEqual([]);
    await ledger.reserve(PAYMENT, {});
    await ledger.spent(recordOf(PAYMENT, 'paid', 30, null));
    expect(errors).toEqual(['the listener', 'the listener', 'the hook']);
    expect(await store.getRecords()).toMatchObject([{ id: 'a', outcome: 'paid' }]);
  });
});
