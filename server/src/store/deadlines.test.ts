import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { createSilentWire } from '../../test/silentWire.ts';
import { openPostgres } from './postgres.ts';
import { REPLICA_PATIENCE_MS } from './replicaReads.ts';

const POOL = 3;
const SHORT = { replica: 300, single: 1_000, transaction: 20_000, long: 20_000, idle: 20_000 };
const one = { name: 'test.one', text: 'select 1 as n' };
const brief = { name: 'test.brief', text: 'select 2 as n', brief: true };
const sleep = { name: 'test.sleep', text: 'select 3 as n from pg_sleep(2)' };
const otherSleep = { name: 'test.otherSleep', text: 'select 3 as n from pg_sleep(2) as other' };
const place = { name: 'test.place', text: `select current_setting('assay.place', true) as place` };
const running = {
  name: 'test.running',
  text: `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query like '%as other%' and state = 'active' and pid <> pg_backend_pid()`,
};

let database: TestDatabase;
let url: string;
beforeAll(async () => {
  database = await createDatabase('postgres');
  url = database.config.databaseUrl!;
});
afterAll(() => database.drop());

describe.concurrent('a primary that stops responding', () => {
  test('behavior: every pending statement fails, and its connection is closed', async () => {
    const wire = await createSilentWire(new URL(url));
    const store = await openPostgres({ url: wire.url, poolSize: POOL, deadlines: SHORT });
    await Promise.all(Array.from({ length: POOL }, () => store.query(one)));
    wire.freeze();
    const given = [store.query(one), store.reads.query(brief), store.reads.query(brief)];
    const ends = await Promise.allSettled(given);
    for (const end of ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { outage: 'silent' } });
    }
    // The pool has a free place again, so the next query gets a working connection.
    wire.thaw();
    expect(await store.query(one)).toEqual([{ n: 1 }]);
    await store.close();
    await wire.close();
  });

  test('behavior: a transaction fails too, and the store can be closed', async () => {
    const wire = await createSilentWire(new URL(url));
    const deadlines = { ...SHORT, transaction: 1_000 };
    const store = await openPostgres({ url: wire.url, poolSize: 1, deadlines });
    const attempt = store.transaction(async (tx) => {
      await tx.query(one);
      wire.freeze();
      await tx.query(one);
    });
    await expect(attempt).rejects.toMatchObject({ outage: 'silent' });
    await store.close();
    await wire.close();
  });

  test('behavior: a leader whose server stops responding can release its lead', async () => {
    const wire = await createSilentWire(new URL(url));
    const store = await openPostgres({ url: wire.url });
    const leadership = (await store.lead(60))!;
    wire.freeze();
    await leadership.release();
    await store.close();
    await wire.close();
  });
});

describe.concurrent('a statement that takes too long', () => {
  test('behavior: is cancelled by the server, unless it is declared as long', async () => {
    const store = await openPostgres({ url, poolSize: POOL, deadlines: SHORT });
    await expect(store.query(otherSleep)).rejects.toMatchObject({ outage: 'slow' });
    await expect(store.reads.query(otherSleep)).rejects.toMatchObject({ outage: 'slow' });
    expect(await store.query(running)).toEqual([{ n: 0 }]);
    const allowed = [
      store.query({ ...otherSleep, long: true }),
      store.transaction((tx) => tx.query(otherSleep)),
    ];
    expect(await Promise.all(allowed)).toEqual([[{ n: 3 }], [{ n: 3 }]]);
    // The longer limit of a transaction does not stay with the connection.
    await expect(store.query(otherSleep)).rejects.toMatchObject({ outage: 'slow' });
    await store.close();
  });
});

describe.concurrent('a replica', () => {
  const deadlines = { ...SHORT, single: 20_000 };

  async function openWithReplica() {
    const wire = await createSilentWire(new URL(url));
    const replicaUrl = new URL(wire.url);
    replicaUrl.searchParams.set('options', '-c assay.place=replica');
    const store = await openPostgres({ url, replicaUrl: replicaUrl.href, deadlines });
    const where = async () => (await store.reads.query<{ place: string | null }>(place))[0]!.place;
    const close = async () => {
      await store.close();
      await wire.close();
    };
    return { wire, store, where, close };
  }

  test('behavior: when it stops responding, reads move to the primary within a second, and return later', async () => {
    expect(REPLICA_PATIENCE_MS).toBeLessThan(1_000);
    const { wire, where, close } = await openWithReplica();
    expect(await where()).toBe('replica');
    wire.freeze();
    expect(await Promise.all([where(), where()])).toEqual([null, null]);
    expect(await where()).toBeNull();
    wire.thaw();
    await expect.poll(where, { timeout: 20_000, interval: 200 }).toBe('replica');
    await close();
  });

  test('behavior: a read that takes too long does not affect other reads', async () => {
    const { store, where, close } = await openWithReplica();
    expect(await store.reads.query(sleep)).toEqual([{ n: 3 }]);
    expect(await where()).toBe('replica');
    await close();
  });
});
