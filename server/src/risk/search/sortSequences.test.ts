import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortSequences } from './sortSequences.ts';

describe('sortSequences', () => {
  test('equals a stable sort by comparison', () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(sequence, { maxLength: 60 }), (given) => {
        const starts = [0];
        for (const { length } of given) starts.push(starts.at(-1)! + length);
        const order = sortSequences(
          { numbers: Uint32Array.from(given.flat()), starts: Uint32Array.from(starts) },
          4,
        );
        const places = [...given.keys()].sort((a, b) => compare(given[a]!, given[b]!));
        expect([...order]).toEqual(places);
      }),
    );
  });
});

/** For single digits, text order equals numeric order. */
function compare(a: readonly number[], b: readonly number[]): number {
  const [left, right] = [a.join(''), b.join('')];
  return left < right ? -1 : left > right ? 1 : 0;
}
