import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../test/database.ts';
import { HAS_PACKAGES } from '../../test/debianPackages.ts';
import { type Pgbouncer, type PoolMode, startPgbouncer } from '../../test/pgbouncer.ts';
import { pause } from '../runtime/pause.ts';
import { openPostgres } from './postgres.ts';
import type { Store } from './store.ts';

const one = { name: 'test.one', text: 'select 1 as n' };
const notify = { name: 'test.notify', text: `select pg_notify('test_channel', $1)` };
const locking = {
  name: 'test.locking',
  // Other tests use separate databases on this server.
  text: `select pid from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`,
};
const backend = { name: 'test.backend', text: 'select from pg_stat_activity where pid = $1' };
const add = {
  name: 'test.add',
  text: `insert into block (chain_id, number, hash, time) values (2, 1, '\\x00', 0)`,
};
const count = { name: 'test.count', text: 'select count(*)::int as n from block' };

describe.skipIf(!HAS_PACKAGES)('a database behind PgBouncer', () => {
  const { database } = useDatabase('postgres');
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function pool(mode: PoolMode, settings?: Record<string, number>): Promise<Pgbouncer> {
    const pgbouncer = await startPgbouncer(database().config.databaseUrl!, mode, settings);
    closing.push(pgbouncer.close);
    return pgbouncer;
  }

  async function open(url: string, replicaUrl?: string): Promise<Store> {
    const store = await openPostgres({ url, replicaUrl });
    closing.push(store.close);
    return store;
  }

  /**
   * Other clients of the pooler begin transactions until one of them has this session: it is free once its own client,
   * a leader, has sent a heartbeat, and is assigned next. The pooler may also have closed it, because a client
   * disconnected.
   */
  async function holdSession(url: string, pid: number, direct: Store): Promise<void> {
    while ((await direct.query(backend, [pid])).length > 0) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      closing.push(() => client.end());
      await client.query('begin');
      const { rows } = await client.query('select pg_backend_pid() as pid');
      if (rows[0].pid === pid) return;
      await pause(300);
    }
  }

  test.each<[PoolMode, Record<string, number>]>([
    ['transaction', {}],
    ['transaction', { default_pool_size: 1 }],
    ['transaction', { server_round_robin: 1, min_pool_size: 2 }],
    ['transaction', { server_round_robin: 1, min_pool_size: 5 }],
    ['statement', {}],
  ])('error: %s mode with %o', async (mode, settings) => {
    const url = database().config.databaseUrl!;
    const pooled = (await pool(mode, settings)).urlOf(url);
    await expect(open(pooled)).rejects.toMatchObject({ outage: 'pooled' });
    await expect(open(url, pooled)).rejects.toMatchObject({ outage: 'pooled' });
  });

  test('behavior: in session mode leads and notifications work', async () => {
    const url = (await pool('session')).urlOf(database().config.databaseUrl!);
    const [first, second] = [await open(url, url), await open(url)];
    const leadership = (await first.lead(1))!;
    expect(await second.lead(1)).toBeUndefined();
    expect(await leadership.transaction((tx) => tx.query(one))).toEqual([{ n: 1 }]);
    const payload = new Promise<string>((resolve) => void second.listen('test_channel', resolve));
    const timer = setInterval(() => void first.query(notify, ['hello']), 100);
    expect(await payload).toBe('hello');
    clearInterval(timer);
    await leadership.release();
    const next = (await second.lead(1))!;
    await next.release();
  });

  test('behavior: a pooler that changes its mode later ends leads and is rejected', async () => {
    const pgbouncer = await pool('session');
    const url = database().config.databaseUrl!;
    const direct = await open(url);
    const store = await open(pgbouncer.urlOf(url));
    let changes = 0;
    store.cluster!.onChange(() => {
      changes += 1;
    });
    const leadership = (await store.lead(2))!;
    const [leader] = await direct.query<{ pid: number }>(locking);
    await pgbouncer.reload('transaction');
    await holdSession(pgbouncer.urlOf(url), leader!.pid, direct);
    // The leader's next transaction is in a session without the lock.
    await expect(leadership.transaction((tx) => tx.query(add))).rejects.toMatchObject({
      outage: 'pooled',
    });
    expect(await direct.query(count)).toEqual([{ n: 0 }]);
    await expect(store.lead(3)).rejects.toMatchObject({ outage: 'pooled' });
    expect(store.cluster!.isPooled()).toBe(true);
    await pgbouncer.restart();
    await leadership.lost;
    await expect(store.query(one)).rejects.toMatchObject({ outage: 'pooled' });
    await pgbouncer.reload('session');
    await expect.poll(() => store.query(one).catch(() => 'refused')).toEqual([{ n: 1 }]);
    expect(store.cluster!.isPooled()).toBe(false);
    expect(changes).toBe(2);
  });
});
