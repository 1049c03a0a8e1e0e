import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPgliteConnection } from './pgliteConnection.ts';
import { type PgliteThread, startPgliteThread } from './pgliteThread.ts';
import { tend } from './pgliteUpkeep.ts';
import type { Connection } from './transact.ts';

let folder: string;
let thread: PgliteThread;
let connection: Connection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
  await cp(join(inject('pgliteTemplate'), 'data'), folder, { recursive: true });
  thread = await startPgliteThread(folder);
  connection = createPgliteConnection(thread);
});

afterAll(async () => {
  await thread.stop();
  await rm(folder, { recursive: true });
});

function insertBlocks(chainId: number, count: number) {
  return connection.exec(
    `insert into block (chain_id, number, hash, time)
     select ${chainId}, i, decode(repeat('ab', 32), 'hex'), 0 from generate_series(1, ${count}) i`,
  );
}

async function value(sql: string): Promise<unknown> {
  return (await connection.exec(`select (${sql}) as value`)).rows[0]!.value;
}

// PostgreSQL publishes its counts about once a second, so this repeats `tend` until it has seen them.
function tendUntil(sql: string, idle: boolean) {
  return expect.poll(
    async () => {
      await tend(connection, idle);
      return value(sql);
    },
    { timeout: 20_000 },
  );
}

const rowsOf = (table: string) => `select reltuples::int from pg_class where relname = '${table}'`;
const vacuums = `select vacuum_count::int from pg_stat_user_tables where relname = 'block'`;
const checkpoint = 'select redo_lsn::text from pg_control_checkpoint()';

describe('tend', () => {
  test('default', async () => {
    await insertBlocks(1, 5_000);
    await tendUntil(rowsOf('block'), false).toBe(5_000);
  });

  test('behavior: an empty table stays unanalyzed', async () => {
    await tend(connection, true);
    expect(await value(rowsOf('tick'))).toBe(-1);
  });

  test('behavior: dead rows are removed when idle', async () => {
    await connection.exec('delete from block');
    await insertBlocks(2, 5_000);
    await tendUntil(vacuums, true).toBe(1);
  });

  test('behavior: a long log ends in a checkpoint', async () => {
    const before = await value(checkpoint);
    for (let chainId = 3; chainId < 13; chainId++) await insertBlocks(chainId, 20_000);
    await tend(connection, false);
    expect(await value(checkpoint)).not.toBe(before);
  });
});
