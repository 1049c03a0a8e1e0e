import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { pipelineReads } from './pipelinedReads.ts';
import { createPool, run } from './postgresClient.ts';
import type { Queryable } from './store.ts';

const number = { name: 'test.number', text: 'select $1::int8 as n', brief: true };
const end = {
  name: 'test.end',
  text: 'select pg_terminate_backend(pg_backend_pid())',
  brief: true,
};

let database: TestDatabase;
let pool: pg.Pool;
let reads: Queryable;
/** Number of calls in each packet. */
let packets: number[] = [];
beforeAll(async () => {
  database = await createDatabase('postgres');
  pool = createPool({ url: database.config.databaseUrl!, size: 3, statementMs: 10_000 });
  reads = pipelineReads((calls) => {
    packets.push(calls.length);
    return run(pool, calls);
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ask = (n: number | string) => reads.query<{ n: number }>(number, [n]);

describe('pipelineReads', () => {
  test('default: reads of one moment share packets, and each gets its own rows', async () => {
    packets = [];
    const all = Array.from({ length: 25 }, (_, n) => n);
    expect(await Promise.all(all.map(ask))).toEqual(all.map((n) => [{ n }]));
    expect(packets.reduce((sum, calls) => sum + calls)).toBe(25);
    expect(packets.length).toBeLessThan(25);
  });

  test('behavior: a single read is sent alone', async () => {
    packets = [];
    for (const n of [1, 2]) expect(await ask(n)).toEqual([{ n }]);
    expect(packets).toEqual([1, 1]);
  });

  test('behavior: a read that is not brief is sent alone', async () => {
    packets = [];
    const long = { ...number, name: 'test.long', brief: false };
    await Promise.all([1, 2, 3, 4].map((n) => reads.query(long, [n])));
    expect(packets).toEqual([1, 1, 1, 1]);
  });

  test('error: a rejected read fails alone, regardless of its position', async () => {
    for (let place = 0; place < 6; place++) {
      const all = Array.from({ length: 6 }, (_, n) => (n === place ? 'no number' : n));
      const answers = await Promise.allSettled(all.map(ask));
      for (const [n, answer] of answers.entries()) {
        if (n === place) expect(answer.status).toBe('rejected');
        else expect(answer).toEqual({ status: 'fulfilled', value: [{ n }] });
      }
    }
  });

  test('error: a lost connection costs at most one read of a packet', async () => {
    const answers = await Promise.allSettled([ask(1), reads.query(end), ask(2), ask(3)]);
    expect(answers.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1);
    expect(await ask(4)).toEqual([{ n: 4 }]);
  });

  test('error: without a connection, all reads fail at once and none is retried', async () => {
    const nowhere = createPool({
      url: 'postgres://127.0.0.1:1/nothing',
      size: 3,
      statementMs: 10_000,
    });
    let runs = 0;
    const lost = pipelineReads((calls) => {
      runs += calls.length;
      return run(nowhere, calls);
    });
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => lost.query(number, [n])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    expect(runs).toBe(5);
    await nowhere.end();
  });
});
