import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../src/store/store.ts';
import { describeEachEngine } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const count = (table: string) =>
  statement(`test.count.${table}`, `select count(*) as n from ${table}`);
const COUNTS = ['history', 'movement', 'position', 'tick', 'tick_rollup'].map(
  (table) => [table, count(table)] as const,
);

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'indexing' });
});
afterAll(() => served?.close());

describeEachEngine('indexing', (open) => {
  test('default', async () => {
    const store = await open();
    const heads = new Map<number, number>();
    for (const { chainId, chain } of served.world.chains) {
      heads.set(chainId, (await chain.head()).number);
    }
    const indexing = startIndexing(store, served.config());
    await indexing.until(liveAt(heads));
    await indexing.stop();
    for (const [table, statement] of COUNTS) {
      const [row] = await store.query<{ n: number }>(statement);
      expect(row!.n, table).toBeGreaterThan(0);
    }
  });
});
