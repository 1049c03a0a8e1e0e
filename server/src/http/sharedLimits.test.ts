import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/database.ts';
import { createTokenBuckets } from '../domain/tokenBuckets.ts';
import type { Param, Queryable, Statement, Store } from '../store/store.ts';
import { createSharedLimits, runSharedLimits } from './sharedLimits.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase('postgres');
  store = await database.open();
});
afterAll(() => database?.drop());

/** A process that lets so many through at once, and one in a thousand seconds after that. */
function open(burst: number, on: Queryable = store, limiter = 'clients') {
  const limits = createSharedLimits(on);
  const buckets = limits.createBuckets(limiter, { perSecond: 0.001, burst });
  const take = (key: string, count: number) =>
    Array.from({ length: count }, () => buckets.take(key, performance.now())).filter(
      (wait) => wait === undefined,
    ).length;
  return { ...limits, buckets, take };
}

describe('sharedLimits', () => {
  test('default: what one process let through is gone for the others', async () => {
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

  test('behavior: nothing is counted twice, however often they talk', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    for (let i = 0; i < 3; i++) {
      expect(one.take('c', 2)).toBe(2);
      await one.exchange();
      for (let j = 0; j < 3; j++) await Promise.all([two.exchange(), one.exchange()]);
    }
    expect(two.take('c', 20)).toBe(4);
  });

  test('behavior: what one was charged is gone for the others, once', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    one.buckets.spend('charged', 6, performance.now());
    for (let i = 0; i < 3; i++) await Promise.all([one.exchange(), two.exchange()]);
    expect(two.take('charged', 20)).toBe(4);
    expect(one.take('charged', 20)).toBe(4);
  });

  test('behavior: what was given back was not taken', async () => {
    const [one, two] = [open(10), open(10)];
    await Promise.all([one.exchange(), two.exchange()]);
    one.take('d', 5);
    for (let i = 0; i < 5; i++) one.buckets.give('d');
    await one.exchange();
    await two.exchange();
    expect(two.take('d', 20)).toBe(10);
  });

  test('behavior: one limit is not the other', async () => {
    const [one, two] = [open(10, store, 'payers'), open(10, store, 'clients')];
    await Promise.all([one.exchange(), two.exchange()]);
    one.take('e', 10);
    await one.exchange();
    await two.exchange();
    expect(two.take('e', 20)).toBe(10);
  });

  test('behavior: who comes later begins with full buckets, and rows that rest are removed', async () => {
    const one = open(10);
    one.take('f', 10);
    await one.exchange();
    const late = open(10);
    await late.exchange();
    expect(late.take('f', 20)).toBe(10);
    const rows = () => store.query<{ key: string }>(statement('select key from limit_use'));
    await store.query(statement(`update limit_use set at = now() - interval '2 minutes'`));
    expect((await rows()).map(({ key }) => key)).toContain('f');
    // Of others, and of its own except what it is just telling of.
    one.take('g', 1);
    await one.exchange();
    expect((await rows()).map(({ key }) => key)).toEqual(['g']);
    // A row that was made anew counts from its beginning.
    await late.exchange();
    expect(late.take('g', 20)).toBe(9);
  });

  test('behavior: processes at once keep to the limit, one statement each per turn', async () => {
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
    // A turn may let through what nobody could know of yet.
    expect(letThrough).toBeGreaterThanOrEqual(1_000);
    expect(letThrough).toBeLessThanOrEqual(1_000 + 2 * 8 * 50);
  });

  test('error: while the store is away each keeps to its own count', async () => {
    const broken: Queryable = {
      query: async () => {
        throw new Error('away');
      },
    };
    const one = open(3, broken);
    const stop = runSharedLimits(one, 1);
    expect(one.take('i', 9)).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await stop();
    expect(one.take('i', 9)).toBe(0);
  });
});

test('tokenBuckets: a debt is of a burst at most', () => {
  const buckets = createTokenBuckets({ perSecond: 1, burst: 5 });
  buckets.spend('a', 1_000, 0);
  expect(buckets.wait('a', 0)).toBe(6);
  expect(buckets.take('a', 6_000)).toBeUndefined();
});

function statement(text: string): Statement {
  return { name: `test.${text.length}`, text } as Statement;
}
