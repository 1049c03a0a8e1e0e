import { describe, expect, test } from 'vitest';

// The module's client reads the address of its page.
globalThis.location ??= { origin: 'http://127.0.0.1' } as Location;
const { atTimes, growthOf, readBenchmark } = await import('./benchmark.ts');

const YEAR = 31_536_000;
const at = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('readBenchmark', () => {
  test('default: a family of this server, or a rate', () => {
    expect(readBenchmark('svceth', ['svceth'])).toEqual({ type: 'family', slug: 'svceth' });
    expect(readBenchmark('4.5%', [])).toEqual({ type: 'rate', percent: 4.5 });
  });

  test.each(['', 'unknown', '-4%', '4', '4.555%', '99999%', 'e5%'])('error: rejects %j', (text) => {
    expect(readBenchmark(text, ['svceth'])).toBeUndefined();
  });
});

describe('growthOf', () => {
  test('default: the rate after a year, its root after half of one', () => {
    const [start, half, year] = growthOf(0.21, [0, YEAR / 2, YEAR]);
    expect(start).toBe(100);
    expect(half).toBeCloseTo(110);
    expect(year).toBeCloseTo(121);
    expect(growthOf(0.1, [])).toEqual([]);
  });
});

describe('atTimes', () => {
  test('default: the last value before each time, and none before the first', () => {
    const ticks = [
      { at: at(10), value: 1 },
      { at: at(20), value: 2 },
    ];
    expect(atTimes(ticks, [5, 10, 15, 20, 99])).toEqual([null, 1, 1, 2, 2]);
  });
});
