import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { openCallBudgets } from './callBudgets.ts';

const CHAIN = 8453;
const PER_DAY = 24_000;
/** Half of an hour's share of 1,000 calls is for the backfill. */
const FOR_THE_PAST = 500;

const LATER = { name: 'test.anHourLater', text: `update call_use set at = at - interval '1 hour'` };
const FORGET = { name: 'test.forgetCalls', text: 'delete from call_use' };

describeEachEngine('callBudgets', (open, database) => {
  /** Starts a process with its own call count, which exchanges only when the test requests it. */
  async function start() {
    // Only one process can open the embedded database, so there both share its store.
    const store = database().engine === 'postgres' ? await database().open() : await open();
    const used = { calls: 0 };
    const chains = [{ chainId: CHAIN, callsPerDay: PER_DAY }, { chainId: 1 }];
    const calls = { total: (chainId: number) => (chainId === CHAIN ? used.calls : 1e9) };
    // The clock is stopped, so this process refills nothing by itself.
    const options = { everyMs: 1e8, clock: () => 0 };
    const budgets = await openCallBudgets(store, chains, calls, options);
    return { used, budgets, store, hasRoom: () => budgets.of(CHAIN).hasRoom() };
  }

  test('default: calls of one process reduce the budget of the others, also after a restart', async () => {
    const a = await start();
    const b = await start();
    a.used.calls += 300;
    b.used.calls += 300;
    expect([a.hasRoom(), b.hasRoom()]).toEqual([true, true]);
    await a.budgets.exchange();
    await b.budgets.exchange();
    // Together, the two have used more than half. The first detects it at its next exchange.
    expect([a.hasRoom(), b.hasRoom()]).toEqual([true, false]);
    await a.budgets.exchange();
    expect(a.hasRoom()).toBe(false);
    expect(a.budgets.of(1).hasRoom()).toBe(true);
    b.used.calls += FOR_THE_PAST;
    await Promise.all([a.budgets.close(), b.budgets.close()]);

    const again = await start();
    expect(again.hasRoom()).toBe(false);
    await again.budgets.close();

    // 1,100 of 1,000 were used, so an hour later 900 are available.
    await again.store.query(LATER);
    const rested = await start();
    expect(rested.hasRoom()).toBe(true);
    await rested.budgets.close();
  });

  test('behavior: calls that could not be published are published later', async () => {
    const a = await start();
    await a.store.query(FORGET);
    a.used.calls += 600;
    const failing = a.budgets.of(CHAIN).exchange(async () => {
      throw new Error('the store is away');
    });
    await expect(failing).rejects.toThrow('away');
    expect((await start()).hasRoom()).toBe(true);
    await a.budgets.exchange();
    expect((await start()).hasRoom()).toBe(false);
  });
});
