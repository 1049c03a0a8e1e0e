import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatch } from './batch.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

describe('createBatch', () => {
  test('default: items added together run together, each with its own result', async () => {
    const runs: number[][] = [];
    const double = createBatch(async (items: readonly number[]) => {
      runs.push([...items]);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
    expect(runs).toEqual([[1, 2, 3], [4]]);
  });

  test('behavior: each item gets its own result once in any order, and no run is too big', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });
    const limits = fc.record({
      max: fc.integer({ min: 1, max: 7 }),
      atOnce: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(arrivals, limits, async (pauses, { max, atOnce }) => {
        const seen: number[] = [];
        let running = 0;
        const batch = createBatch(
          async (items: readonly number[]) => {
            expect(items.length).toBeLessThanOrEqual(max);
            expect(++running).toBeLessThanOrEqual(atOnce);
            await new Promise(setImmediate);
            running--;
            seen.push(...items);
            return items.map((item) => item + 1);
          },
          { max, atOnce },
        );
        const results = await Promise.all(
          pauses.map(async (pause, i) => {
            for (let turn = 0; turn < pause; turn++) await new Promise(setImmediate);
            return batch(i);
          }),
        );
        expect(results).toEqual(pauses.map((_, i) => i + 1));
        expect(seen.toSorted((a, b) => a - b)).toEqual(pauses.map((_, i) => i));
      }),
      { numRuns: 50 },
    );
  });

  test('behavior: a slow run delays the rest only when the maximum number of runs is slow', async () => {
    const ends: (() => void)[] = [];
    const batch = createBatch(
      async (items: readonly string[]) => {
        if (items.includes('slow')) await new Promise<void>((end) => ends.push(end));
        return items;
      },
      { atOnce: 2 },
    );
    const first = batch('slow');
    await new Promise(setImmediate);
    expect(await batch('quick')).toBe('quick');
    const second = batch('slow');
    await new Promise(setImmediate);
    let done = false;
    const waiting = batch('late').then(() => {
      done = true;
    });
    await new Promise(setImmediate);
    expect({ done, slow: ends.length }).toEqual({ done: false, slow: 2 });
    for (const end of ends) end();
    await Promise.all([first, second, waiting]);
  });

  test('error: a failed run fails its own items, and the next one works', async () => {
    let failing = true;
    const batch = createBatch(async (items: readonly number[]) => {
      if (failing) throw new Error('no');
      return items;
    });
    const failed = await Promise.allSettled([batch(1), batch(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    expect(await batch(3)).toBe(3);
  });
});
