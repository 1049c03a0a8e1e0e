import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { startLimitExchange } from '../assembly/limitExchange.ts';
import type { Hex } from '../domain/hex.ts';
import { createTokenBuckets } from '../domain/tokenBuckets.ts';
import type { Param, Queryable, Statement, Store } from '../store/store.ts';
import { createSharedLimits, loadLimitKey } from './sharedLimits.ts';

const MIGRATION = new URL('../../migrations/0028_limit_use_hashes.sql', import.meta.url);

let database: TestDatabase;
let store: Store;
let secret: Hex;
beforeAll(async () => {
  database = await createDatabase('postgres');
  store = await database.open();
  secret = await loadLimitKey(store);
});
afterAll(() => database?.drop());

/** A process that allows a burst of requests, and one per thousand seconds after that. */
function open(burst: number, on: Queryable = store, limiter = 'clients') {
  const limits = createSharedLimits(on, secret);
  const buckets = limits.createBuckets(limiter, { perSecond: 0.001, burst });
  const take = (key: string, count: number) =>
    Array.from({ length: count }, () => buckets.take(key, performance.now())).filter(
      (wait) => wait === undefined,
    ).length;
  return { ...limits, buckets, take };
}

describe('sharedLimits', () => {
  test('default: requests that one process accepted count at the others', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    expect(one.take('a', 7)).toBe(7);
    await one.exchange();
    await two.exchange();
    expect(two.take('b', 20)).toBe(10);
    expect(two.take('a', 20)).toBe(3);
    await two.exchange();
    await one.exchange();
    expect(one.take('a', 20)).toBe(0);
    expect(one.buckets.wait('a', performance.now())).toBeGreaterThan(900);
  });

  test('behavior: nothing is counted twice, regardless of the number of exchanges', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    for (let i = 0; i < 3; i++) {
      expect(one.take('c', 2)).toBe(2);
      await one.exchange();
      for (let j = 0; j < 3; j++) await Promise.all([two.exchange(), one.exchange()]);
    }
    expect(two.take('c', 20)).toBe(4);
  });

  test('behavior: an amount that one process charged counts at the others, once', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    one.buckets.spend('charged', 6, performance.now());
    for (let i = 0; i < 3; i++) await Promise.all([one.exchange(), two.exchange()]);
    expect(two.take('charged', 20)).toBe(4);
    expect(one.take('charged', 20)).toBe(4);
  });

  test('behavior: a returned request does not count', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    one.take('d', 5);
    for (let i = 0; i < 5; i++) one.buckets.give('d');
    await one.exchange();
    await two.exchange();
    expect(two.take('d', 20)).toBe(10);
  });

  test('behavior: a request returned while it is being published does not count', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    for (let turn = 0; turn < 3; turn++) {
      one.take('back', 5);
      const publishing = one.exchange();
      for (let i = 0; i < 5; i++) one.buckets.give('back');
      await publishing;
      if (turn > 0) await two.exchange();
      await one.exchange();
      await two.exchange();
      await two.exchange();
      expect(two.buckets.wait('back', performance.now(), 10)).toBeUndefined();
    }
    expect(two.take('back', 20)).toBe(10);
    one.take('back', 3);
    await one.exchange();
    const late = open(10);
    await late.exchange();
    expect(late.take('back', 20)).toBe(10);
  });

  test('behavior: the limits of payers and clients are separate', async () => {
    const [one, two] = [open(10, store, 'payers'), open(10, store, 'clients')];
    await Promise.all([one.exchange(), two.exchange()]);
    one.take('e', 10);
    await one.exchange();
    await two.exchange();
    expect(two.take('e', 20)).toBe(10);
  });

  test('behavior: a process that starts later begins with full buckets, and unused rows are removed', async () => {
    const one = open(10);
    one.take('f', 10);
    await one.exchange();
    const late = open(10);
    await late.exchange();
    expect(late.take('f', 20)).toBe(10);
    const rows = () => store.query<{ taken: string }>(statement('select taken from limit_use'));
    await store.query(statement(`update limit_use set at = now() - interval '2 minutes'`));
    expect((await rows()).map(({ taken }) => Number(taken))).toContain(10);
    // Removes rows of any process, except the one that it just wrote.
    one.take('g', 1);
    await one.exchange();
    expect((await rows()).map(({ taken }) => Number(taken))).toEqual([1]);
    // A row that was created again counts from zero.
    await late.exchange();
    expect(late.take('g', 20)).toBe(9);
  });

  test('behavior: concurrent processes share the limit, with one statement each per turn', async () => {
    let statements = 0;
    const counted: Queryable = {
      query<Row>(text: Statement, params?: readonly Param[]) {
        statements++;
        return store.query<Row>(text, params);
      },
    };
    const all = Array.from({ length: 8 }, () => open(1_000, counted));
    await Promise.all(all.map(({ exchange }) => exchange()));
    let letThrough = 0;
    const TURNS = 12;
    for (let turn = 0; turn < TURNS; turn++) {
      for (const one of all) letThrough += one.take('h', 50);
      await Promise.all(all.map(({ exchange }) => exchange()));
    }
    expect(statements).toBe(8 * (TURNS + 1));
    // Within a turn, no process knows the counts of the others.
    expect(letThrough).toBeGreaterThanOrEqual(1_000);
    expect(letThrough).toBeLessThanOrEqual(1_000 + 2 * 8 * 50);
  });

  test('behavior: the store has neither payers nor addresses, and all processes the same hashes', async () => {
    const payer = `0x${'ab'.repeat(20)}`;
    const address = '203.0.113.77';
    const one = open(10, store, 'payers');
    const two = createSharedLimits(store, await loadLimitKey(store));
    two.createBuckets('clients', { perSecond: 1, burst: 10 }).take(address, performance.now());
    one.take(payer, 1);
    await Promise.all([one.exchange(), two.exchange()]);
    const rows = await store.query<{ row: string }>(
      statement('select limit_use::text as "row" from limit_use'),
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toMatch(/payers,[0-9a-f]{64},/);
    expect(text).toMatch(/clients,[0-9a-f]{64},/);
    expect(text).not.toContain(payer.slice(2));
    expect(text).not.toContain(address);
    expect(await loadLimitKey(store)).toBe(secret);
  });

  test('behavior: the migration removes unhashed rows of the previous version', async () => {
    const insert = `insert into limit_use values ('older', 'clients', '203.0.113.78', 1, now())`;
    await store.query(statement(insert));
    const sql = await readFile(MIGRATION, 'utf8');
    await store.query(
      statement(
        sql
          .replaceAll(/^--.*$/gm, '')
          .trim()
          .replace(/;$/, ''),
      ),
    );
    expect(await store.query(statement('select key from limit_use where true'))).toEqual([]);
  });

  test('error: without the store, each process keeps its own count, and the outage is counted and logged once', async () => {
    let away = true;
    let asked = 0;
    const faulty: Queryable = {
      async query<Row>(text: Statement, params?: readonly Param[]) {
        asked++;
        if (away) throw new Error('away');
        return store.query<Row>(text, params);
      },
    };
    const one = open(3, faulty);
    const lines: unknown[] = [];
    const log = {
      warn: (_: unknown, message: string) => lines.push(['warn', message]),
      info: (fields: unknown, message: string) => lines.push(['info', fields, message]),
    } as unknown as Parameters<typeof startLimitExchange>[1];
    const { counter, stop } = startLimitExchange(one, log, 1);
    const failures = async () => (await counter.read())[0]!.value;
    expect(await failures()).toBe(0);
    expect(one.take('i', 9)).toBe(3);
    for (let outage = 1; outage <= 2; outage++) {
      away = true;
      const before = await failures();
      await expect.poll(failures, { interval: 1 }).toBeGreaterThan(before + 3);
      expect(lines).toHaveLength(2 * outage - 1);
      expect(lines.at(-1)).toEqual(['warn', expect.stringContaining('cannot be shared')]);
      away = false;
      await expect.poll(() => lines.length, { interval: 1 }).toBe(2 * outage);
      const times = (await failures()) - before;
      expect(lines.at(-1)).toEqual(['info', { failures: times }, expect.any(String)]);
      const sofar = asked;
      await expect.poll(() => asked, { interval: 1 }).toBeGreaterThan(sofar + 3);
      expect(lines).toHaveLength(2 * outage);
    }
    await stop();
    expect(one.take('i', 9)).toBe(0);
  });
});

test('tokenBuckets: a debt is at most one burst', () => {
  const buckets = createTokenBuckets({ perSecond: 1, burst: 5 });
  buckets.spend('a', 1_000, 0);
  expect(buckets.wait('a', 0)).toBe(6);
  expect(buckets.take('a', 6_000)).toBeUndefined();
});

test('tokenBuckets: several are taken at once, and more than a burst leaves a debt', () => {
  const buckets = createTokenBuckets({ perSecond: 1, burst: 5 });
  expect(buckets.take('a', 0, 3)).toBeUndefined();
  expect([buckets.wait('a', 0, 3), buckets.take('a', 0, 3)]).toEqual([1, 1]);
  expect(buckets.take('a', 0, 2)).toBeUndefined();
  buckets.give('a', 5);
  expect(buckets.take('a', 0, 20)).toBeUndefined();
  expect(buckets.take('a', 0)).toBe(16);
  expect(buckets.take('a', 16_000)).toBeUndefined();
});

function statement(text: string): Statement {
  return { name: `test.${createHash('md5').update(text).digest('hex')}`, text } as Statement;
}
