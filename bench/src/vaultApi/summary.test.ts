import { describe, expect, test } from 'vitest';
import { median, summarise } from './summary.ts';

describe('summarise', () => {
  test('default', () => {
    const latencies = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect(summarise(latencies)).toEqual({ count: 200, p50: 101, p99: 199, max: 200 });
  });

  test('behavior: nothing measured', () => {
    expect(summarise([])).toEqual({ count: 0, p50: 0, p99: 0, max: 0 });
  });
});

describe('median', () => {
  test('default', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});
