import { describe, expect, test } from 'vitest';
import { cachedByFamily, cachedFor } from './cachedFor.ts';

/** Work that the test ends. */
function createWork() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const make = () =>
    new Promise<number>((resolve, reject) => {
      ends.push({ resolve, reject });
    });
  return { ends, make };
}

describe('cachedFor', () => {
  test('default: a result is cached for some seconds after it was computed', async () => {
    let time = 0;
    const { ends, make } = createWork();
    const get = cachedFor(10, () => time, make);
    const first = get();
    time = 30;
    const second = get();
    expect(ends).toHaveLength(1);
    ends[0]!.resolve(1);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    time = 39;
    expect(await get()).toBe(1);
    time = 40;
    const third = get();
    ends[1]!.resolve(2);
    expect(await third).toBe(2);
  });

  test('error: a failure is not cached', async () => {
    const { ends, make } = createWork();
    const get = cachedFor(10, () => 0, make);
    const first = get();
    ends[0]!.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    const second = get();
    ends[1]!.resolve(2);
    expect(await second).toBe(2);
  });
});

test('behavior: families are computed one after another, and an unknown one never', async () => {
  const { ends, make } = createWork();
  const get = cachedByFamily(['a', 'b'], { seconds: 10, now: () => 0 }, make);
  const both = [get('a'), get('b')];
  expect(get('c')).toBeUndefined();
  expect(ends).toHaveLength(1);
  ends[0]!.resolve(1);
  await both[0];
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!.resolve(2);
  expect(await Promise.all(both)).toEqual([1, 2]);
});
