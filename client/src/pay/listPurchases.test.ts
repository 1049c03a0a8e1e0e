import { describe, expect, test } from 'vitest';
import { openPayment } from '../../test/openPayment.ts';
import { EMPTY, reserve } from './book.ts';
import { createLedger } from './ledger.ts';
import { listPurchases } from './listPurchases.ts';
import { createMemoryStore } from './memoryStore.ts';
import { recordOf } from './present.ts';
import type { OpenPayment, SpendStore } from './store.ts';

const BUDGET = { perCall: 100n, total: 1_000n };

function payment(id: string, reservedAt: number): OpenPayment {
  return openPayment({ id, state: 'signed', header: 'secret', reservedAt });
}

async function storeOf(...payments: readonly OpenPayment[]): Promise<SpendStore> {
  const store = createMemoryStore();
  for (const one of payments) {
    await store.transact((book) => ({
      result: undefined,
      book: reserve(book ?? EMPTY, one, BUDGET, one.reservedAt)!,
    }));
  }
  return store;
}

describe('listPurchases', () => {
  test('default: open, charged, and paid, oldest first, without signatures', async () => {
    const [a, b, c] = [payment('a', 10), payment('b', 20), payment('c', 30)];
    const store = await storeOf(a, b, c);
    const ledger = createLedger(store, BUDGET, () => 40);
    await ledger.spent(recordOf(c, 'paid', 40, null));
    await ledger.spent(recordOf(b, 'charged', 50, null));
    const listed = await listPurchases(store);
    expect(listed).toMatchObject([
      { id: 'a', state: 'signed', amount: 50n, unanswered: true, at: 10, chargeableUntil: 70 },
      { id: 'c', state: 'paid', unanswered: false, at: 40, chargeableUntil: null },
      { id: 'b', state: 'charged', unanswered: true, at: 50 },
    ]);
    for (const one of listed) expect(one).not.toHaveProperty('header');
    await ledger.answered('b');
    expect((await listPurchases(store))[2]).toMatchObject({ state: 'charged', unanswered: false });
  });

  test('behavior: a payment that is closed while the list is made is listed once', async () => {
    const a = payment('a', 10);
    const store = await storeOf(a);
    const ledger = createLedger(store, BUDGET, () => 40);
    const racing: SpendStore = {
      transact: store.transact,
      async getRecords() {
        await ledger.spent(recordOf(a, 'paid', 40, null));
        return store.getRecords();
      },
    };
    expect(await listPurchases(racing)).toMatchObject([{ id: 'a', state: 'paid' }]);
  });

  test('error: the state of a newer version', async () => {
    const store = createMemoryStore();
    await store.transact(() => ({ result: undefined, book: { ...EMPTY, version: 2 } as never }));
    await expect(listPurchases(store)).rejects.toMatchObject({ type: 'store' });
  });
});
