import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePostgres, type PostgresProcess } from '../../test/postgresServer.ts';
import { createSilentWire } from '../../test/silentWire.ts';
import { openPostgres } from './postgres.ts';
import { splitHosts } from './postgresHosts.ts';
import type { Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const add = { name: 'test.add', text: 'insert into noted (n) values ($1)' };
const sum = { name: 'test.sum', text: 'select coalesce(sum(n), 0)::int as sum from noted' };
const isReplica = { name: 'test.isReplica', text: 'select pg_is_in_recovery() as is' };

let primary: PostgresProcess;
let replica: PostgresProcess;
let store: Store;
beforeAll(async () => {
  primary = await ensurePostgres();
  replica = await primary.startReplica();
  store = await openPostgres({ url: bothOf(primary, replica), replicaUrl: replica.url });
  await store.query({ name: 'test.table', text: 'create table noted (n int)' });
});
afterAll(async () => {
  await store?.close();
  await replica?.stop();
  await primary?.stop();
});

const sumBy = async (reads: Pick<Store, 'query'>) =>
  (await reads.query<{ sum: number }>(sum))[0]!.sum;
const readsReplica = async () => (await store.reads.query<{ is: boolean }>(isReplica))[0]!.is;

describe.sequential('two servers', () => {
  test('default: writes go to the primary, reads to the replica', async () => {
    await expect.poll(readsReplica).toBe(true);
    await store.query(add, [1]);
    await expect.poll(() => sumBy(store.reads)).toBe(1);
    expect((await store.query<{ is: boolean }>(isReplica))[0]!.is).toBe(false);
  });

  test('error: a replica configured as the primary', async () => {
    for (const url of [replica.url, bothOf(replica, replica)]) {
      await expect(openPostgres({ url })).rejects.toMatchObject({ outage: 'read-only' });
    }
  });

  test('behavior: a replica that falls behind is not used until it catches up', async () => {
    await onReplica('select pg_wal_replay_pause()');
    await store.query(add, [10]);
    // The replica may be behind by this much, so later reads must not return past rows.
    await expect.poll(() => sumBy(store.reads), { interval: 20 }).toBe(11);
    expect(await readsReplica()).toBe(false);
    for (let i = 0; i < 20; i++) expect(await sumBy(store.reads)).toBe(11);
    await onReplica('select pg_wal_replay_resume()');
    await expect.poll(readsReplica).toBe(true);
    expect(await sumBy(store.reads)).toBe(11);
  });

  test('behavior: a restart of the primary loses nothing and needs no operator', async () => {
    await primary.halt('fast');
    await expect(store.query(add, [100])).rejects.toMatchObject({ name: 'StoreUnavailable' });
    // Reads continue where possible.
    expect(await sumBy(store.reads).catch(() => 11)).toBe(11);
    await primary.start();
    await expect.poll(() => tryAdd(100)).toBe(true);
    expect(await sumBy(store)).toBe(111);
  });

  test('behavior: after a planned failover, the other host takes writes, and listeners and leaders follow', async () => {
    const received: string[] = [];
    await store.listen('updates', (payload) => received.push(payload));
    const leader = (await store.lead(7))!;
    // In a planned failover, the other host has every row.
    await expect.poll(readsReplica).toBe(true);
    await expect.poll(() => sumBy(store.reads)).toBe(111);
    await primary.halt('fast');
    await leader.lost;
    await replica.promote();
    await expect.poll(() => tryAdd(1_000)).toBe(true);
    expect(await sumBy(store)).toBe(1_111);
    await expect.poll(() => sumBy(store.reads)).toBe(1_111);
    await expect.poll(() => store.lead(7).catch(() => undefined)).toBeDefined();
    const notify = { name: 'test.notify', text: `select pg_notify('updates', 'here')` };
    await expect
      .poll(async () => {
        await store.query(notify);
        return received;
      })
      .toContain('here');
  });

  test('behavior: the old primary comes back, and no process writes to it', async () => {
    await primary.start();
    await expect.poll(() => store.cluster!.isSplit()).toBe(true);
    expect(store.cluster!.timeline()).toBe(2);
    expect(await tryAdd(10_000)).toBe(true);
    // A process that starts now and reaches the old host first.
    const slow = await createSilentWire(new URL(replica.url), 300);
    const started = await openPostgres({ url: bothOf(primary, slow) });
    try {
      await started.query(add, [20_000]);
      await expect.poll(() => started.cluster!.isSplit()).toBe(true);
    } finally {
      await started.close();
      await slow.close();
    }
    expect(await onServer(replica.url, sum.text)).toEqual({ sum: 31_111 });
    expect(await onServer(primary.url, sum.text)).toEqual({ sum: 111 });
  });

  test('error: only the old primary remains', async () => {
    await replica.halt('fast');
    await expect
      .poll(() => store.query(add, [1]).catch((error: StoreUnavailable) => error.outage))
      .toBe('old-primary');
    expect(await onServer(primary.url, sum.text)).toEqual({ sum: 111 });
    await replica.start();
    await expect.poll(() => tryAdd(100_000)).toBe(true);
    expect(store.cluster!.isSplit()).toBe(true);
    await primary.halt('fast');
    await expect.poll(() => store.cluster!.isSplit()).toBe(false);
    expect(await sumBy(store)).toBe(131_111);
  });
});

describe('a promotion while the primary runs', () => {
  test('behavior: connections, leaders, and listeners leave the old primary at once', async () => {
    const old = await ensurePostgres();
    const next = await old.startReplica();
    const changes: unknown[] = [];
    const running = await openPostgres({ url: bothOf(old, next) });
    try {
      const { cluster } = running;
      cluster!.onChange(() => changes.push([cluster!.timeline(), cluster!.isSplit()]));
      await running.query({ name: 'test.table', text: 'create table noted (n int)' });
      const received: string[] = [];
      await running.listen('updates', (payload) => received.push(payload));
      const leader = (await running.lead(7))!;
      await next.promote();
      await leader.lost;
      await expect(leader.transaction((tx) => tx.query(add, [1]))).rejects.toThrow(
        StoreUnavailable,
      );
      await expect.poll(() => changes).toContainEqual([2, true]);
      await running.query(add, [2]);
      await expect
        .poll(async () => {
          await running.query({ name: 'test.notify', text: `select pg_notify('updates', 'here')` });
          return received;
        })
        .toContain('here');
      expect(await onServer(next.url, sum.text)).toEqual({ sum: 2 });
      expect(await onServer(old.url, sum.text)).toEqual({ sum: 0 });
      const ours = `select count(*)::int as n from pg_stat_activity where application_name = 'assay'
         and query not like '%pg_control_system%'`;
      await expect.poll(() => onServer(old.url, ours)).toEqual({ n: 0 });
      await old.halt('fast');
      await expect.poll(() => changes).toContainEqual([2, false]);
    } finally {
      await running.close();
      await next.stop();
      await old.stop();
    }
  });

  test('error: two replicas promoted on one timeline', async () => {
    const old = await ensurePostgres();
    const promoted = [await old.startReplica(), await old.startReplica()] as const;
    const running = await openPostgres({ url: bothOf(...promoted, old) });
    try {
      await old.halt('fast');
      for (const host of promoted) await host.promote();
      await expect
        .poll(() => running.query(sum).catch((error: StoreUnavailable) => error.outage))
        .toBe('two-primaries');
      expect(running.cluster!.isSplit()).toBe(true);
    } finally {
      await running.close();
      for (const one of [...promoted, old]) await one.stop();
    }
  });

  test('behavior: behind a single name', async () => {
    const old = await ensurePostgres();
    const next = await old.startReplica();
    const name = await createSilentWire(new URL(old.url));
    const running = await openPostgres({ url: name.url });
    try {
      await running.query({ name: 'test.table', text: 'create table noted (n int)' });
      expect(running.cluster!.timeline()).toBe(1);
      await next.promote();
      name.lead(new URL(next.url));
      await expect.poll(() => running.query(sum).catch(() => undefined)).toEqual([{ sum: 0 }]);
      await expect.poll(() => running.cluster!.timeline()).toBe(2);
      name.lead(new URL(old.url));
      await expect
        .poll(() => running.query(sum).catch((error: StoreUnavailable) => error.outage))
        .toBe('old-primary');
    } finally {
      await running.close();
      await name.close();
      await next.stop();
      await old.stop();
    }
  });
});

async function tryAdd(n: number): Promise<boolean> {
  return store.query(add, [n]).then(
    () => true,
    () => false,
  );
}

function bothOf(...servers: readonly Pick<PostgresProcess, 'url'>[]): string {
  return `postgres://postgres@${servers.map(({ url }) => new URL(url).host).join(',')}/postgres`;
}

/** Bypasses the store, which does not use a replica that is behind. */
async function onReplica(text: string): Promise<void> {
  await onServer(replica.url, text);
}

/** Returns the first row. */
async function onServer(url: string, text: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows[0];
}

test.each([
  ['postgres://u:p@a:1/d?x=y', ['postgres://u:p@a:1/d?x=y']],
  ['postgresql://a,b:2/d', ['postgresql://a/d', 'postgresql://b:2/d']],
  [
    'postgres://u:p%40,@a:1,b:2,[::1]:3/d?sslmode=require',
    ['a:1', 'b:2', '[::1]:3'].map((host) => `postgres://u:p%40,@${host}/d?sslmode=require`),
  ],
  ['postgres:///d?host=/tmp', ['postgres:///d?host=/tmp']],
])('splitHosts: %s', (url, urls) => {
  expect(splitHosts(url)).toEqual(urls);
});
