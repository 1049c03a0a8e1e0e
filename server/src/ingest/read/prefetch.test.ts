import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mapConcurrent, prefetch } from './prefetch.ts';

/** Work that the test ends. */
function gates() {
  const open = new Map<number, { pass(): void; fail(): void }>();
  let most = 0;
  return {
    get most() {
      return most;
    },
    begun: () => [...open.keys()],
    pass: (item: number) => open.get(item)!.pass(),
    fail: (item: number) => open.get(item)!.fail(),
    work: (item: number) =>
      new Promise<string>((resolve, reject) => {
        const end = () => open.delete(item);
        open.set(item, {
          pass: () => end() && resolve(`done ${item}`),
          fail: () => end() && reject(new Error(`failed ${item}`)),
        });
        most = Math.max(most, open.size);
      }),
  };
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

async function collect(results: AsyncIterable<string>): Promise<string[]> {
  const seen: string[] = [];
  try {
    for await (const result of results) seen.push(result);
  } catch (error) {
    seen.push((error as Error).message);
  }
  return seen;
}

describe('mapConcurrent', () => {
  test('default', async () => {
    const seen = await collect(mapConcurrent([1, 2, 3, 4, 5], 2, async (item) => `done ${item}`));
    expect(seen).toEqual(['done 1', 'done 2', 'done 3', 'done 4', 'done 5']);
  });

  test('behavior: results come in the order of the items, whichever ends first', async () => {
    const { work, pass, begun } = gates();
    const seen = collect(mapConcurrent([1, 2, 3], 3, work));
    await turn();
    expect(begun()).toEqual([1, 2, 3]);
    for (const item of [3, 2, 1]) pass(item);
    expect(await seen).toEqual(['done 1', 'done 2', 'done 3']);
  });

  test('behavior: never more than the limit at once', async () => {
    const gate = gates();
    const seen = collect(mapConcurrent([1, 2, 3, 4, 5, 6], 2, gate.work));
    for (const item of [1, 2, 3, 4, 5, 6]) {
      await turn();
      gate.pass(item);
    }
    expect((await seen).length).toBe(6);
    expect(gate.most).toBe(2);
  });

  test('behavior: a failure surfaces in its turn, after what came before it', async () => {
    const { work, pass, fail } = gates();
    const seen = collect(mapConcurrent([1, 2, 3], 3, work));
    await turn();
    fail(2);
    await turn();
    pass(1);
    pass(3);
    expect(await seen).toEqual(['done 1', 'failed 2']);
  });

  test('behavior: if the items fail, work that has begun is still yielded', async () => {
    async function* items() {
      yield 1;
      yield 2;
      throw new Error('no more items');
    }
    const seen = await collect(mapConcurrent(items(), 5, async (item) => `done ${item}`));
    expect(seen).toEqual(['done 1', 'done 2', 'no more items']);
  });

  test('behavior: leaving early stops the items and waits for work in progress', async () => {
    const { work, pass, begun } = gates();
    let stopped = false;
    async function* items() {
      try {
        for (let item = 1; ; item++) yield item;
      } finally {
        stopped = true;
      }
    }
    const results = mapConcurrent(items(), 3, work);
    const first = results.next();
    await turn();
    pass(1);
    expect((await first).value).toBe('done 1');
    let left = false;
    const leaving = results.return(undefined).then(() => {
      left = true;
    });
    await turn();
    expect(stopped).toBe(true);
    expect(left).toBe(false);
    for (const item of begun()) pass(item);
    await leaving;
    expect(begun()).toEqual([]);
  });

  test('behavior: a failure after the consumer has stopped is not unhandled', async () => {
    const { work, pass, fail } = gates();
    const results = mapConcurrent([1, 2, 3], 3, work);
    const first = results.next();
    await turn();
    pass(1);
    await first;
    const leaving = results.return(undefined);
    fail(2);
    fail(3);
    await leaving;
  });
});

describe('prefetch', () => {
  function counted(last: number) {
    const counters = { begun: 0, ended: false };
    async function* items() {
      try {
        for (let item = 1; item <= last; item++) {
          counters.begun = item;
          if (item === 3) throw new Error('failed 3');
          yield `item ${item}`;
        }
      } finally {
        counters.ended = true;
      }
    }
    return { counters, items: items() };
  }

  test('default: the items, in order', async () => {
    const { items, counters } = counted(2);
    expect(await collect(prefetch(items))).toEqual(['item 1', 'item 2']);
    expect(counters.ended).toBe(true);
  });

  test('behavior: the next item begins when it is requested, once, and not before', async () => {
    const { items, counters } = counted(2);
    const ahead = prefetch(items);
    const seen: string[] = [];
    for await (const item of ahead) {
      await turn();
      expect(counters.begun).toBe(seen.length + 1);
      seen.push(item);
      ahead.request();
      ahead.request();
      await turn();
      expect(counters.begun).toBe(Math.min(seen.length + 1, 2));
    }
    expect(seen).toEqual(['item 1', 'item 2']);
  });

  test('behavior: a failure surfaces in its turn', async () => {
    const { items } = counted(5);
    const ahead = prefetch(items);
    const seen: string[] = [];
    const all = async () => {
      for await (const item of ahead) {
        ahead.request();
        await turn();
        seen.push(item);
      }
    };
    await expect(all()).rejects.toThrow('failed 3');
    expect(seen).toEqual(['item 1', 'item 2']);
  });

  test('behavior: leaving early ends the items, regardless of pending requests', async () => {
    const { items, counters } = counted(5);
    const ahead = prefetch(items);
    for await (const item of ahead) {
      ahead.request();
      if (item === 'item 2') break;
    }
    expect(counters.ended).toBe(true);
  });
});
