import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../../test/childProcess.ts';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { createSilentWire } from '../../test/silentWire.ts';
import { STATEMENT_MS } from './deadlines.ts';
import { openPostgres } from './postgres.ts';
import type { Leadership, Store } from './store.ts';

/** Still several heartbeats. */
const IDLE_MS = 5_000;
const deadlines = { ...STATEMENT_MS, idle: IDLE_MS };
const insert = {
  name: 'test.insert',
  text: `insert into block (chain_id, number, hash, time) values ($1, $2, '\\x00', 0)`,
};
const rows = { name: 'test.rows', text: 'select chain_id, number from block where chain_id = $1' };
const length = { name: 'test.length', text: 'select length($1::text) as n' };
const slow = { name: 'test.slow', text: 'select 1 as n from pg_sleep($1)' };

let database: TestDatabase;
let url: string;
let store: Store;
beforeAll(async () => {
  database = await createDatabase('postgres');
  url = database.config.databaseUrl!;
  store = await openPostgres({ url, deadlines });
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

async function leadSoon(key: number): Promise<Leadership> {
  for (;;) {
    const leadership = await store.lead(key);
    if (leadership) return leadership;
  }
}

describe('leadPostgres', () => {
  test('behavior: a stopped process is replaced, and is not the leader when it continues', async () => {
    const child = startChild('lead.ts', url, String(IDLE_MS));
    expect(await child.nextLine()).toBe('leads');
    process.kill(child.pid, 'SIGSTOP');
    const leadership = await leadSoon(1);
    process.kill(child.pid, 'SIGCONT');
    expect(await child.nextLine()).toBe('lost');
    await leadership.release();
    await child.kill();
  });

  test('behavior: a process that is stopped in a transaction commits nothing of it', async () => {
    const child = startChild('lead.ts', url, String(IDLE_MS), 'writes');
    expect([await child.nextLine(), await child.nextLine()]).toEqual(['leads', 'writes']);
    process.kill(child.pid, 'SIGSTOP');
    const leadership = await leadSoon(1);
    // Inserts the same row, so it would wait for a transaction that is still open.
    await leadership.transaction((tx) => tx.query(insert, [1, 1]));
    process.kill(child.pid, 'SIGCONT');
    expect([await child.nextLine(), await child.nextLine()]).toEqual(['StoreUnavailable', 'lost']);
    expect(await store.query(rows, [1])).toEqual([{ chain_id: 1, number: 1 }]);
    await leadership.release();
    await child.kill();
  });

  test('behavior: a leader that hangs while it sends a statement is replaced', async () => {
    const wire = await createSilentWire(new URL(url));
    const hung = await openPostgres({ url: wire.url, deadlines });
    const lost = (await hung.lead(2))!;
    wire.freezeAfter(1_000_000);
    const attempt = lost.transaction((tx) => tx.query(length, ['x'.repeat(8_000_000)]));
    const failed = expect(attempt).rejects.toThrow();
    const leadership = await leadSoon(2);
    await leadership.release();
    await wire.close();
    await failed;
    await hung.close();
  });

  test('behavior: slow statements and long pauses between them cost no lead', async () => {
    const leadership = (await store.lead(3))!;
    const other = await openPostgres({ url, deadlines });
    const seconds = (IDLE_MS / 1000) * 1.5;
    // Within a transaction, and while the leader has nothing to write.
    expect(await leadership.transaction((tx) => tx.query(slow, [seconds]))).toHaveLength(1);
    await other.query(slow, [seconds]);
    expect(await other.lead(3)).toBeUndefined();
    expect(await leadership.transaction((tx) => tx.query(slow, [0]))).toHaveLength(1);
    await leadership.release();
    await other.close();
  });
});
