import { describe, expect, test } from 'vitest';
import { DAY } from '../time.ts';
import { parseDuration, thinnedBefore } from './retention.ts';

describe('parseDuration', () => {
  test('default', () => {
    expect(parseDuration('90d')).toBe(90 * DAY);
    expect(parseDuration('2y')).toBe(730 * DAY);
  });

  test('error: anything else', () => {
    for (const text of ['', '0d', '90', 'd', '1.5y', '-1d', '90 d', '90D', '100000d']) {
      expect(parseDuration(text), text).toBeUndefined();
    }
  });
});

describe('thinnedBefore', () => {
  const known = 1_000 * DAY + 5;

  test('default: whole days', () => {
    const bounds = { hourly: 910 * DAY, daily: 270 * DAY };
    expect(thinnedBefore({ raw: 90 * DAY, hour: 730 * DAY }, known)).toEqual(bounds);
  });

  test('behavior: one per hour is kept forever', () => {
    expect(thinnedBefore({ raw: 90 * DAY }, known)).toEqual({ hourly: 910 * DAY, daily: 0 });
  });

  test('behavior: a store that is younger has nothing to thin', () => {
    const nothing = { hourly: 0, daily: 0 };
    expect(thinnedBefore({ raw: 2_000 * DAY, hour: 3_000 * DAY }, known)).toEqual(nothing);
  });
});
