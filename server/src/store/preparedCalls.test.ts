import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { connect, query, run } from './postgresClient.ts';

const pair = { name: 'test.pair', text: 'select $1::text as a, $2::int8 as b, null::bool as c' };
const table = { name: 'test.table', text: 'create temporary table t (n int4)' };
const insert = { name: 'test.insertN', text: 'insert into t (n) select unnest($1::int4[])' };
const list = { name: 'test.listN', text: 'select n from t order by n' };

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase('postgres');
  client = await connect(database.config.databaseUrl!);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('PreparedCalls', () => {
  test('default: the first and later results are equal', async () => {
    for (const [a, b] of [
      ['ä', 1],
      [null, null],
      ['', -5],
    ] as const) {
      expect(await query(client, pair, [a, b])).toEqual([{ a, b, c: null }]);
    }
  });

  test('behavior: statements without rows, and none or many rows of one', async () => {
    await query(client, table);
    expect(await query(client, list)).toEqual([]);
    expect(await query(client, insert, ['{1,2}'])).toEqual([]);
    expect(await query(client, insert, ['{3}'])).toEqual([]);
    expect(await query(client, list)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('error: the connection stays usable after a rejected value, an invalid text, and an unreadable row', async () => {
    await expect(query(client, pair, ['x', 'no number'])).rejects.toThrow('test.pair');
    expect(await query(client, pair, ['x', 7])).toEqual([{ a: 'x', b: 7, c: null }]);
    const wrong = { name: 'test.wrong', text: 'select nothing from nowhere' };
    for (let i = 0; i < 2; i++) await expect(query(client, wrong)).rejects.toThrow('test.wrong');
    await expect(query(client, pair, ['x', '9007199254740993'])).rejects.toThrow();
    expect(await query(client, pair, ['x', 8])).toEqual([{ a: 'x', b: 8, c: null }]);
  });

  test('behavior: several at once, new and known ones, each with its rows', async () => {
    const other = await connect(database.config.databaseUrl!);
    const call = (a: string) => ({ statement: pair, values: [a, '1'] });
    const none = {
      statement: { name: 'test.none', text: 'select 1 as n where false' },
      values: [],
    };
    for (let i = 0; i < 2; i++) {
      const { answers, error } = await run(other, [call('x'), none, call('y'), call('z')]);
      expect(error).toBeNull();
      const rows = (a: string) => [{ a, b: 1, c: null }];
      expect(answers).toEqual([rows('x'), [], rows('y'), rows('z')]);
    }
    await other.end();
  });

  test('error: calls before a rejected one have results, and those after it did not run', async () => {
    const call = (b: string) => ({ statement: pair, values: ['x', b] });
    const unread = '9007199254740993';
    const calls = [call('1'), call(unread), call('no number'), call('2')];
    const { answers, error } = await run(client, calls);
    expect(answers).toEqual([[{ a: 'x', b: 1, c: null }], expect.any(Error)]);
    expect(error).toMatchObject({ code: '22P02' });
  });

  test('error: a write that returns a result, and then fails at commit', async () => {
    await client.query('create temporary table once (n int4 unique deferrable initially deferred)');
    const add = { name: 'test.addOnce', text: 'insert into once (n) values (1)' };
    expect(await query(client, add)).toEqual([]);
    await expect(query(client, add)).rejects.toMatchObject({ code: '23505' });
    const count = { name: 'test.countOnce', text: 'select count(*) as n from once' };
    expect(await query(client, count)).toEqual([{ n: 1 }]);
  });

  test('behavior: a statement whose columns have changed is described again after it failed once', async () => {
    await client.query('create temporary table shape as select 1::int4 as n');
    const all = { name: 'test.shape', text: 'select * from shape' };
    expect(await query(client, all)).toEqual([{ n: 1 }]);
    await client.query(`alter table shape alter column n type text using 'one'`);
    await expect(query(client, all)).rejects.toThrow('test.shape');
    expect(await query(client, all)).toEqual([{ n: 'one' }]);
  });

  test('error: a client that is closed', async () => {
    const other = await connect(database.config.databaseUrl!);
    await other.end();
    await expect(query(other, pair, ['x', 1])).rejects.toThrow();
  });
});
