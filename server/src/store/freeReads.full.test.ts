import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePostgres, type PostgresProcess } from '../../test/postgresServer.ts';
import { createSilentWire, type SilentWire } from '../../test/silentWire.ts';
import { openPostgres } from './postgres.ts';
import type { Store } from './store.ts';

const add = { name: 'test.add', text: 'insert into noted (n) values ($1)' };
const sum = { name: 'test.sum', text: 'select coalesce(sum(n), 0)::int as sum from noted' };

let primary: PostgresProcess;
let replica: PostgresProcess;
let wire: SilentWire;
let store: Store;
beforeAll(async () => {
  primary = await ensurePostgres();
  replica = await primary.startReplica();
  wire = await createSilentWire(new URL(primary.url));
  store = await openPostgres({ url: wire.url, replicaUrl: replica.url, maxStaleSeconds: 300 });
  await store.query({ name: 'test.table', text: 'create table noted (n int)' });
});
afterAll(async () => {
  await store?.close();
  await wire?.close();
  await replica?.stop();
  await primary?.stop();
});

const read = async () => (await store.freeReads.query<{ sum: number }>(sum))[0]!.sum;
const outage = () => store.health.outage()?.outage;

describe.sequential('freeReads', () => {
  test('default: current while the primary responds', async () => {
    await store.query(add, [1]);
    await expect.poll(read).toBe(1);
    expect(store.freeReads.staleCount()).toBe(0);
  });

  test('behavior: the age is that of the replica’s data, and falls when it catches up', async () => {
    await expect.poll(read).toBe(1);
    await onReplica('select pg_wal_replay_pause()');
    await store.query(add, [10]);
    const writtenAt = performance.now();
    // The probe has seen the write, so the replica is no longer used.
    await expect.poll(async () => (await store.reads.query<{ sum: number }>(sum))[0]!.sum).toBe(11);
    await primary.halt('fast');
    await expect.poll(outage).toBeDefined();
    expect(await read()).toBe(1);
    expect(store.freeReads.knownAt()).toBeLessThan(writtenAt);
    await onReplica('select pg_wal_replay_resume()');
    await expect.poll(read).toBe(11);
    await expect
      .poll(async () => {
        await read();
        return store.freeReads.knownAt();
      })
      .toBeGreaterThan(writtenAt);
    await primary.start();
    await expect.poll(outage).toBeUndefined();
    expect(await read()).toBe(11);
  });

  test('behavior: a primary that stops responding is away until it responds again', async () => {
    const before = store.freeReads.staleCount();
    wire.freeze();
    await expect.poll(outage).toBe('silent');
    expect(await read()).toBe(11);
    expect(store.freeReads.staleCount()).toBeGreaterThan(before);
    wire.thaw();
    await expect.poll(outage).toBeUndefined();
    // Frozen connections stay frozen, and are closed one by one.
    await expect
      .poll(async () => {
        const count = store.freeReads.staleCount();
        expect(await read()).toBe(11);
        return store.freeReads.staleCount() - count;
      })
      .toBe(0);
  });
});

async function onReplica(text: string): Promise<void> {
  const client = new pg.Client(replica.url);
  await client.connect();
  await client.query(text);
  await client.end();
}
