import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../../test/childProcess.ts';
import { createDatabase, databaseUrl, onServer, type TestDatabase } from '../../test/database.ts';
import { createSilentWire } from '../../test/silentWire.ts';
import { openPostgres } from './postgres.ts';
import type { Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const insert = {
  name: 'test.insert',
  text: `insert into block (chain_id, number, hash, time) values ($1, $2, '\\x00', 0)`,
};
const count = { name: 'test.count', text: 'select count(*)::int as n from block' };
const notify = { name: 'test.notify', text: `select pg_notify('test_channel', $1)` };

let database: TestDatabase;
let url: string;

beforeAll(async () => {
  database = await createDatabase('postgres');
  url = database.config.databaseUrl!;
});
afterAll(() => database.drop());

/** Ends every matching connection to the database, as a failing server would. */
function terminate(condition: string): Promise<void> {
  return onServer(
    databaseUrl(url, 'postgres'),
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${new URL(url).pathname.slice(1)}' and (${condition})`,
  );
}

async function leadSoon(store: Store, key: number) {
  for (;;) {
    const leadership = await store.lead(key);
    if (leadership) return leadership;
  }
}

describe('lead', () => {
  test('default', async () => {
    const [first, second] = [await database.open(), await database.open()];
    const leadership = await first.lead(10);
    expect(leadership).toBeDefined();
    expect(await second.lead(10)).toBeUndefined();
    const other = await second.lead(11);
    expect(other).toBeDefined();
    await leadership!.release();
    const taken = await second.lead(10);
    expect(taken).toBeDefined();
    await taken!.release();
    await other!.release();
  });

  test('behavior: when a process is killed, another one leads', async () => {
    const store = await database.open();
    const child = startChild('lead.ts', url);
    expect(await child.nextLine()).toBe('leads');
    expect(await store.lead(1)).toBeUndefined();
    await child.kill();
    const leadership = await leadSoon(store, 1);
    await leadership.release();
  });

  test('behavior: a lost connection ends the leadership and its transaction', async () => {
    const [first, second] = [await database.open(), await database.open()];
    const leadership = (await first.lead(20))!;
    const [{ n: before }] = (await second.query<{ n: number }>(count)) as [{ n: number }];
    const attempt = leadership.transaction(async (tx) => {
      await tx.query(insert, [20, 1]);
      await terminate(`query like '%insert into block%' or query like '%tryLead%'`);
      await tx.query(insert, [20, 2]);
    });
    await expect(attempt).rejects.toBeInstanceOf(StoreUnavailable);
    await leadership.lost;
    await expect(leadership.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailable);
    const next = await leadSoon(second, 20);
    expect(await second.query(count)).toEqual([{ n: before }]);
    await next.release();
  });

  test('behavior: a connection that stops responding is detected', async () => {
    const wire = await createSilentWire(new URL(url));
    const store = await openPostgres({ url: wire.url });
    const leadership = (await store.lead(30))!;
    wire.freeze();
    await leadership.lost;
    await wire.close();
    await store.close();
  });

  test('behavior: stores in two schemas of one database have separate leaders', async () => {
    await onServer(url, 'create schema other');
    const there = new URL(url);
    there.searchParams.set('options', '-c search_path=other');
    const [here, other] = [await database.open(), await openPostgres({ url: there.href })];
    const leadership = await here.lead(40);
    const apart = await other.lead(40);
    expect(apart).toBeDefined();
    expect(await other.query(count)).toEqual([{ n: 0 }]);
    await leadership!.release();
    await apart!.release();
    await other.close();
  });
});

describe('listen', () => {
  test('behavior: a lost connection is opened again', async () => {
    const store = await database.open();
    let received: (payload: string) => void = () => undefined;
    const stop = await store.listen('test_channel', (payload) => received(payload));
    await terminate(`query like 'listen %'`);
    const payload = new Promise<string>((resolve) => {
      received = resolve;
    });
    // Notifications between the loss and the new connection are lost, so this repeats until one arrives.
    const timer = setInterval(() => void store.query(notify, ['hello']), 100);
    expect(await payload).toBe('hello');
    clearInterval(timer);
    await stop();
  });
});

describe('openPostgres', () => {
  test('error: no server responds', async () => {
    const failure = await openPostgres({ url: 'postgres://who:secret@127.0.0.1:1/none' }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ outage: 'unreachable' });
    expect(JSON.stringify([String(failure), failure])).not.toMatch(/secret|127\.0\.0\.1|who/);
  });

  test('error: no such database', async () => {
    const failure = openPostgres({ url: databaseUrl(url, 'absent') });
    await expect(failure).rejects.toMatchObject({ outage: 'refused' });
  });

  test('behavior: lost pool connections fail the running queries and are then replaced', async () => {
    const store = await database.open();
    const slow = { name: 'test.slow', text: 'select pg_sleep(60)::text as done' };
    const running = store.query(slow).catch((error: unknown) => error);
    // Two more connections stay idle in the pool.
    await Promise.all([store.query(count), store.query(count)]);
    await terminate(`application_name = 'assay'`);
    expect(await running).toBeInstanceOf(StoreUnavailable);
    const held = store.transaction(async (tx) => {
      await tx.query(insert, [50, 1]);
      await terminate(`state = 'idle in transaction'`);
      await tx.query(insert, [50, 2]);
    });
    await expect(held).rejects.toBeInstanceOf(StoreUnavailable);
    await expect
      .poll(() => store.query(count).catch(() => 'down'), { timeout: 10_000 })
      .not.toBe('down');
  });

  test('behavior: while a replica is down, the primary serves its reads', async () => {
    const store = await openPostgres({ url, replicaUrl: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await store.reads.query(count)).toHaveLength(1);
    await store.close();
  });
});
