import { describe, expect, test } from 'vitest';
import { createRandom } from './random.ts';

describe('createRandom', () => {
  test('default', () => {
    const draws = Array.from({ length: 1_000 }, createRandom('a').next);
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(mean).toBeCloseTo(0.5, 1);
  });

  test('behavior: the same seed gives the same numbers, another seed different ones', () => {
    const draw = (seed: string) => Array.from({ length: 5 }, createRandom(seed).next);
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  test('behavior: scale stays within its bounds', () => {
    const random = createRandom('scale');
    for (let round = 0; round < 200; round++) {
      const scaled = random.scale(10n ** 24n, 0.5, 1.5);
      expect(scaled >= 5n * 10n ** 23n && scaled < 15n * 10n ** 23n).toBe(true);
    }
  });

  test('error: nothing to pick from', () => {
    expect(() => createRandom('a').pick([])).toThrow(RangeError);
  });
});
