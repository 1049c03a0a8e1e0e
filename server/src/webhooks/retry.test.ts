import { describe, expect, test } from 'vitest';
import { retryAfter, retryDelay } from './retry.ts';

describe('retryDelay', () => {
  test('default: doubles up to an hour', () => {
    const delays = [1, 2, 3, 11, 12, 1_000].map((attempts) => retryDelay(attempts, 1));
    expect(delays).toEqual([2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000]);
  });

  test('behavior: jitter takes up to half', () => {
    expect(retryDelay(1, 0)).toBe(1_000);
    expect(retryDelay(1, 0.5)).toBe(1_500);
  });
});

test('retryAfter: only seconds, at most an hour', () => {
  const headers = ['120', '999999', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined];
  expect(headers.map(retryAfter)).toEqual([120_000, 3_600_000, 0, 0, 0, 0]);
});
