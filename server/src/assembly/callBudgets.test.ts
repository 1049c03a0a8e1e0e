import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { openCallBudgets } from './callBudgets.ts';

const CHAIN = 8453;
const PER_DAY = 24_000;
/** Of an hour's share of 1 000 half is for the past. */
const FOR_THE_PAST = 500;

const LATER = { name: 'test.anHourLater', text: `update call_use set at = at - interval '1 hour'` };
const FORGET = { name: 'test.forgetCalls', text: 'delete from call_use' };

describeEachEngine('callBudgets', (open, database) => {
  /** A process with its own count of calls; only exchanges that are asked for happen. */
  async function start() {
    // The embedded database has one process: there the two share its store.
    const store = database().engine === 'postgres' ? await database().open() : await open();
    const used = { calls: 0 };
    const chains = [{ chainId: CHAIN, callsPerDay: PER_DAY }, { chainId: 1 }];
    const calls = { total: (chainId: number) => (chainId === CHAIN ? used.calls : 1e9) };
    // A clock that stands: nothing comes back by itself in this process.
    const options = { everyMs: 1e8, clock: () => 0 };
    const budgets = await openCallBudgets(store, chains, calls, options);
    return { used, budgets, store, hasRoom: () => budgets.of(CHAIN).hasRoom() };
  }

  test('default: what one process sends another does without, also after a restart', async () => {
    const a = await start();
    const b = await start();
    a.used.calls += 300;
    b.used.calls += 300;
    expect([a.hasRoom(), b.hasRoom()]).toEqual([true, true]);
    await a.budgets.exchange();
    await b.budgets.exchange();
    // Both together have taken more than the half; the first learns it at its next exchange.
    expect([a.hasRoom(), b.hasRoom()]).toEqual([true, false]);
    await a.budgets.exchange();
    expect(a.hasRoom()).toBe(false);
    expect(a.budgets.of(1).hasRoom()).toBe(true);
    b.used.calls += FOR_THE_PAST;
    await Promise.all([a.budgets.close(), b.budgets.close()]);

    const again = await start();
    expect(again.hasRoom()).toBe(false);
    await again.budgets.close();

    // 1 100 of 1 000 were taken: an hour later 900 are there.
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
