import { describe, expect, test } from 'vitest';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { type AnswerPlan, createResponseCache } from './responseCache.ts';

let made = 0;

function bytes(size = 10): AnswerBytes {
  return createAnswerBytes({ body: Buffer.alloc(size), access: 'open', maxAge: 5 });
}

function plan(key: string, more: Partial<AnswerPlan> = {}): AnswerPlan {
  const make = async () => {
    made += 1;
    return bytes();
  };
  return { key, url: `/${key}`, families: ['svcusd'], maxAge: 5, make, ...more };
}

/** Returns how many responses `work` computes. */
async function count(work: () => Promise<unknown>): Promise<number> {
  const before = made;
  await work();
  return made - before;
}

function later<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe('createResponseCache', () => {
  test('default', async () => {
    const answers = createResponseCache();
    const first = await answers.load(plan('a'));
    expect(await answers.load(plan('a', { url: '/other-spelling' }))).toBe(first);
    expect(answers.find('/a')).toBe(first);
    expect(answers.find('/other-spelling')).toBe(first);
    expect(answers.find('/b')).toBeUndefined();
  });

  test('behavior: a response computed before or during an outage is not cached beyond it', async () => {
    const answers = createResponseCache();
    await answers.load(plan('a'));
    const stale = later<AnswerBytes>();
    const reading = answers.load(plan('b', { make: () => stale.promise }));
    answers.clear();
    stale.resolve(bytes());
    await reading;
    expect([answers.find('/a'), answers.find('/b'), answers.size]).toEqual([
      undefined,
      undefined,
      0,
    ]);
    expect(await count(() => answers.load(plan('b')))).toBe(1);
  });

  test('behavior: cached until its time is over', async () => {
    let now = 0;
    const answers = createResponseCache({ clock: () => now });
    await answers.load(plan('a'));
    now = 4_999;
    expect(await count(() => answers.load(plan('a')))).toBe(0);
    now = 5_000;
    expect(answers.find('/a')).toBeUndefined();
    expect(await count(() => answers.load(plan('a')))).toBe(1);
  });

  test('behavior: caches for at most half a minute, regardless of the requests', async () => {
    let now = 0;
    const answers = createResponseCache({ clock: () => now });
    await answers.load(plan('a', { maxAge: 300 }));
    now = 29_999;
    expect(answers.find('/a')).toBeDefined();
    now = 30_000;
    expect(answers.find('/a')).toBeUndefined();
  });

  test('behavior: a response over all families is cached until any of them changes', async () => {
    const answers = createResponseCache();
    await answers.load(plan('a', { families: 'all' }));
    answers.forget('svceth');
    expect(answers.find('/a')).toBeUndefined();
    expect(answers.size).toBe(0);
    const slow = later<AnswerBytes>();
    const asked = answers.load(plan('a', { families: 'all', make: () => slow.promise }));
    answers.forget('svcbtc');
    slow.resolve(bytes());
    await asked;
    expect(answers.find('/a')).toBeUndefined();
  });

  test('behavior: cached until one of its families changes', async () => {
    const answers = createResponseCache();
    await answers.load(plan('a', { families: ['svcusd', 'svceth'] }));
    await answers.load(plan('b', { families: ['svcbtc'] }));
    answers.forget('svceth');
    expect(answers.find('/a')).toBeUndefined();
    expect(answers.find('/b')).toBeDefined();
    answers.forget('svcbtc');
    expect(answers.size).toBe(0);
  });

  test('behavior: a request after a change gets a response computed after it', async () => {
    const answers = createResponseCache();
    const slow = later<AnswerBytes>();
    const old = bytes();
    const first = answers.load(plan('a', { make: () => slow.promise }));
    answers.forget('svcusd');
    // A request after the change must not wait for a response that was started before it.
    const second = await answers.load(plan('a'));
    slow.resolve(old);
    expect(await first).toBe(old);
    expect(second).not.toBe(old);
    expect(await answers.load(plan('a'))).toBe(second);
  });

  test('behavior: concurrent requests share one response, cached or not', async () => {
    const answers = createResponseCache();
    const ask = () => Promise.all([1, 2, 3].map(() => answers.load(plan('a'))));
    expect(await count(ask)).toBe(1);
    const live = () => answers.load(plan('b', { families: undefined }));
    expect(await count(() => Promise.all([live(), live()]))).toBe(1);
    expect(await count(live)).toBe(1);
    expect(answers.find('/b')).toBeUndefined();
  });

  test('behavior: the size is bounded, and the least used responses are dropped first', async () => {
    const answers = createResponseCache({ maxBytes: 30_000 });
    const big = (key: string) => plan(key, { make: async () => bytes(1_000) });
    for (const key of ['a', 'b', 'c']) await answers.load(big(key));
    answers.find('/a');
    for (const key of ['d', 'e']) await answers.load(big(key));
    expect(answers.size).toBeLessThanOrEqual(30_000);
    expect(answers.find('/a')).toBeDefined();
    expect(answers.find('/b')).toBeUndefined();
    expect(answers.find('/e')).toBeDefined();
    for (const family of ['svcusd']) answers.forget(family);
    expect(answers.size).toBe(0);
  });

  test('behavior: a response that is too large is not cached', async () => {
    const answers = createResponseCache({ maxBytes: 30_000 });
    await answers.load(plan('a', { make: async () => bytes(20_000) }));
    expect(answers.size).toBe(0);
  });

  test('behavior: many forms of one URL share a response, and only some of them are kept', async () => {
    const answers = createResponseCache();
    const urls = Array.from({ length: 20 }, (_, index) => `/a?x=${index}`);
    const ask = async () => {
      for (const url of urls) await answers.load(plan('a', { url }));
    };
    expect(await count(ask)).toBe(1);
    expect(urls.filter((url) => answers.find(url)).length).toBeLessThan(10);
    answers.forget('svcusd');
    expect(urls.some((url) => answers.find(url))).toBe(false);
  });

  test('error: a failure is not cached', async () => {
    const answers = createResponseCache();
    const slow = later<AnswerBytes>();
    const both = [1, 2].map(() => answers.load(plan('a', { make: () => slow.promise })));
    slow.reject(new Error('away'));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await count(() => answers.load(plan('a')))).toBe(1);
  });
});
