import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PrefixSums } from './prefixSums.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

describe('prefixSums', () => {
  test('default: equals sums over the list after any pushes and additions', () => {
    const step = fc.record({
      push: fc.boolean(),
      at: fc.nat(),
      count: fc.integer({ min: -3, max: 3 }),
      value: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const sums = new PrefixSums();
        const list: { count: number; value: bigint }[] = [];
        for (const { push, at, count, value } of steps) {
          if (push || list.length === 0) {
            expect(sums.push(count, value)).toBe(list.length);
            list.push({ count, value });
          } else {
            const index = at % list.length;
            sums.add(index, count, value);
            list[index]!.count += count;
            list[index]!.value += value;
          }
        }
        expect(sums.length).toBe(list.length);
        for (let index = 0; index <= list.length; index++) {
          const first = list.slice(0, index);
          expect(sums.before(index)).toEqual({
            count: first.reduce((sum, entry) => sum + entry.count, 0),
            value: first.reduce((sum, entry) => sum + entry.value, 0n),
          });
        }
      }),
    );
  });
});
