import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Store, statement } from '../src/store/store.ts';
import { describeAnyEngine } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { compareStore } from './oracle.ts';
import { type ServedWorld, serveWorld } from './world.ts';

/** One wrong value per table, which the oracle must find. */
const LIES = {
  history:
    'update history set assets = assets + 1 where log_index = (select min(log_index) from history)',
  position: 'update position set cost = cost + 1',
  holder_total: 'update holder_total set holders = holders + 1',
  movement: 'delete from movement where kind = 4',
  share_price: 'update share_price set price = price + 1',
  price: 'delete from price where log_index = (select min(log_index) from price)',
  pool: 'update pool set risk_score = risk_score + 1',
  chain_tick: 'update chain_tick set idle = idle + 1',
  pool_tick: 'update pool_tick set value = value + 1',
  tick: 'delete from tick where at = (select max(at) from tick)',
  tick_rollup: 'update tick_rollup set tvl = tvl + 1',
};

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'oracle' });
});
afterAll(() => served?.close());

describeAnyEngine('oracle', (open) => {
  test('default', async () => {
    const store = await open();
    const config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    expect(await compareStore(store, served.world, config)).toEqual([]);
    if (store.engine === 'postgres') await expectLiesSeen(store);
  });
});

async function expectLiesSeen(store: Store): Promise<void> {
  for (const [table, sql] of Object.entries(LIES)) {
    const lie = statement(`test.lie.${table}`, sql);
    let seen: string[] = [];
    const undone = store.transaction(async (tx) => {
      await tx.query(lie);
      seen = await compareStore({ ...store, query: tx.query }, served.world, served.config());
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    expect(
      seen.some((text) => text.includes(table)),
      table,
    ).toBe(true);
  }
}

class Undone extends Error {}
