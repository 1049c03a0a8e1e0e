import { expect, test } from 'vitest';
import { describeEachEngine, withDatabase } from '../../test/database.ts';
import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import { openPostgres } from '../store/postgres.ts';
import type { Statement, Store } from '../store/store.ts';
import { storeMetrics } from './storeMetrics.ts';

// Not declared with `statement`, which registers the program's own statements.
const createParts: Statement[] = ['parts_of_test', 'part_1_of_test', 'part_2_of_test'].map(
  (name, i) => ({
    name: `test.create_${name}`,
    text:
      i === 0
        ? `create table ${name} (at int, text text) partition by range (at)`
        : `create table ${name} partition of parts_of_test for values from (${i}) to (${i + 1})`,
  }),
);
const fillParts: Statement = {
  name: 'test.fill_parts',
  text: `insert into parts_of_test select 1 + n % 2, repeat('x', 100) from generate_series(1, $1::int) n`,
};
const hold: Statement = { name: 'test.hold', text: 'select pg_sleep(0.05)::text as slept' };

/** Returns a metric's samples by label values. */
async function samples(store: Store, name: string, clock?: () => number) {
  const { gauges, counters } = storeMetrics(store, clock);
  return samplesOf([...gauges, ...counters], name);
}

async function samplesOf(
  sources: readonly (CounterSource | GaugeSource)[],
  name: string,
): Promise<Record<string, number>> {
  const found = await sources.find((source) => source.name === name)!.read();
  return Object.fromEntries(
    found.map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

describeEachEngine('store metrics', (open) => {
  test('default: connections and the size of every table', async () => {
    const store = await open();
    const pool = store.engine === 'pglite' ? 'embedded' : 'primary';
    const used = await samples(store, 'assay_store_connections');
    expect(Object.keys(used)).toEqual([`${pool} in_use`, `${pool} idle`]);
    expect(await samples(store, 'assay_store_waiting')).toEqual({ [pool]: 0 });
    const bytes = await samples(store, 'assay_store_table_bytes');
    expect(Object.keys(bytes)).toEqual(expect.arrayContaining(['chain', 'history', 'payment']));
    expect(Math.min(...Object.values(bytes))).toBeGreaterThanOrEqual(0);
  });

  test('behavior: partitions count for their table; sizes are read once a minute', async () => {
    const store = await open();
    for (const create of createParts) await store.query(create);
    let now = 0;
    const { gauges } = storeMetrics(store, () => now);
    const sizes = () => samplesOf(gauges, 'assay_store_table_bytes');
    const before = await sizes();
    expect(Object.keys(before).filter((name) => name.endsWith('of_test'))).toEqual([
      'parts_of_test',
    ]);
    await store.query(fillParts, [2_000]);
    now = 59_999;
    expect(await sizes()).toEqual(before);
    now = 60_000;
    expect((await sizes()).parts_of_test).toBeGreaterThan(200_000);
  });

  test('behavior: callers that had to wait are counted', async () => {
    const store = await open();
    const pool = store.engine === 'pglite' ? 'embedded' : 'primary';
    const waits = async () => (await samples(store, 'assay_store_waits_total'))[pool]!;
    const seconds = async () => (await samples(store, 'assay_store_wait_seconds_total'))[pool]!;
    await store.query(hold);
    // Sequential queries do not wait, except for the embedded database's upkeep.
    const waited = async () => {
      const before = await waits();
      for (let i = 0; i < 3; i++) await store.query(hold);
      return (await waits()) - before;
    };
    await expect.poll(waited).toBe(0);
    const [waitsBefore, secondsBefore] = [await waits(), await seconds()];
    // More queries than connections.
    const held = Promise.all(Array.from({ length: 25 }, () => store.query(hold)));
    // By then, all of them have requested a connection.
    await new Promise(setImmediate);
    expect((await samples(store, 'assay_store_waiting'))[pool]).toBeGreaterThan(0);
    await held;
    expect(await waits()).toBeGreaterThanOrEqual(waitsBefore + 15);
    expect(await seconds()).toBeGreaterThan(secondsBefore);
    expect(await samples(store, 'assay_store_waiting')).toEqual({ [pool]: 0 });
  });
});

test('behavior: the lag of a replica, from the start if it never followed', async () => {
  await withDatabase('postgres', async ({ config }) => {
    const url = config.databaseUrl!;
    const lagOf = async (replicaUrl?: string) => {
      const store = await openPostgres({ url, replicaUrl });
      try {
        const lag = (await samples(store, 'assay_store_replica_lag_seconds'))[''];
        return { lag, pools: store.pools!().map(({ pool }) => pool) };
      } finally {
        await store.close();
      }
    };
    expect(await lagOf()).toEqual({ lag: undefined, pools: ['primary'] });
    const followed = await lagOf(url);
    const dead = await lagOf('postgres://nobody@127.0.0.1:1/none');
    expect(followed).toEqual({ lag: expect.any(Number), pools: ['primary', 'replica'] });
    expect(dead.lag).toBeGreaterThan(0);
  });
});
