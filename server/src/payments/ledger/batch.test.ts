import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatch } from './batch.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

describe('createBatch', () => {
  test('default: what comes together goes together, each with its own result', async () => {
    const runs: number[][] = [];
    const double = createBatch(async (items: readonly number[]) => {
      runs.push([...items]);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
    expect(runs).toEqual([[1, 2, 3], [4]]);
  });

  test('behavior: whatever comes when, each gets its own result once, and no run is too big', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 7 }), async (pauses, most) => {
        const seen: number[] = [];
        const batch = createBatch(async (items: readonly number[]) => {
          expect(items.length).toBeLessThanOrEqual(most);
          await Promise.resolve();
          seen.push(...items);
          return items.map((item) => item + 1);
        }, most);
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
