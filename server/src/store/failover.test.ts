import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePostgres, type PostgresProcess } from '../../test/postgresServer.ts';
import { openPostgres } from './postgres.ts';
import { splitHosts } from './postgresHosts.ts';

import type { Store } from './store.ts';

const add = { name: 'test.add', text: 'insert into noted (n) values ($1)' };
const sum = { name: 'test.sum', text: 'select coalesce(sum(n), 0)::int as sum from noted' };
const isReplica = { name: 'test.isReplica', text: 'select pg_is_in_recovery() as is' };

let primary: PostgresProcess;
let replica: PostgresProcess;
let store: Store;
beforeAll(async () => {
  primary = await ensurePostgres();
  replica = await primary.startReplica();
  const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/postgres`;
  store = await openPostgres({ url: both, replicaUrl: replica.url });
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
  test('default: writes go to the one, reads to the other', async () => {
    await expect.poll(readsReplica).toBe(true);
    await store.query(add, [1]);
    await expect.poll(() => sumBy(store.reads)).toBe(1);
    expect((await store.query<{ is: boolean }>(isReplica))[0]!.is).toBe(false);
  });

  test('behavior: a replica that falls behind is not asked, and is again when it has caught up', async () => {
    await onReplica('select pg_wal_replay_pause()');
    await store.query(add, [10]);
    // It may be behind by so much; after that nobody reads the past.
    await expect.poll(() => sumBy(store.reads), { interval: 20 }).toBe(11);
    expect(await readsReplica()).toBe(false);
    for (let i = 0; i < 20; i++) expect(await sumBy(store.reads)).toBe(11);
    await onReplica('select pg_wal_replay_resume()');
    await expect.poll(readsReplica).toBe(true);
    expect(await sumBy(store.reads)).toBe(11);
  });

  test('behavior: a restart of the primary loses nothing, and needs nobody', async () => {
    await primary.halt('fast');
    await expect(store.query(add, [100])).rejects.toMatchObject({ name: 'StoreUnavailable' });
    // Reads go on where they can.
    expect(await sumBy(store.reads).catch(() => 11)).toBe(11);
    await primary.start();
    await expect.poll(() => tryAdd(100)).toBe(true);
    expect(await sumBy(store)).toBe(111);
  });

  test('behavior: a planned fail-over: the other takes writes, listeners and leaders follow', async () => {
    const heard: string[] = [];
    await store.listen('news', (payload) => heard.push(payload));
    const leader = (await store.lead(7))!;
    // Planned: the other has everything.
    await expect.poll(readsReplica).toBe(true);
    await expect.poll(() => sumBy(store.reads)).toBe(111);
    await primary.halt('fast');
    await leader.lost;
    await replica.promote();
    await expect.poll(() => tryAdd(1_000)).toBe(true);
    expect(await sumBy(store)).toBe(1_111);
    await expect.poll(() => sumBy(store.reads)).toBe(1_111);
    await expect.poll(() => store.lead(7).catch(() => undefined)).toBeDefined();
    const notify = { name: 'test.notify', text: `select pg_notify('news', 'here')` };
    await expect
      .poll(async () => {
        await store.query(notify);
        return heard;
      })
      .toContain('here');
  });
});

async function tryAdd(n: number): Promise<boolean> {
  return store.query(add, [n]).then(
    () => true,
    () => false,
  );
}

/** Past the store, which leaves a replica alone that is behind. */
async function onReplica(text: string): Promise<void> {
  const client = new pg.Client(replica.url);
  await client.connect();
  await client.query(text);
  await client.end();
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
