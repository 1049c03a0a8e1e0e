import { describe, expect, test } from 'vitest';
import { returnsOf, type ValueDay, yearsOf } from './returns.ts';

const DAY = 86_400;
const START = Date.parse('2025-01-01T00:00:00Z') / 1000;
const day = (index: number, value: number | null, flow = 0): ValueDay => ({
  ...{ at: START + index * DAY, value, flow },
});

describe('returnsOf', () => {
  test('default: one deposit that grows by a tenth in a year', () => {
    const { resultUsd, timeWeighted, moneyWeighted } = returnsOf([day(0, 100, 100), day(365, 110)]);
    expect(resultUsd).toBe(10);
    expect(timeWeighted).toBeCloseTo(0.1);
    expect(moneyWeighted).toBeCloseTo(0.1);
  });

  test('behavior: a deposit before a fall lowers the money-weighted return, not the time-weighted one', () => {
    const { resultUsd, timeWeighted, moneyWeighted } = returnsOf([
      day(0, 100, 100),
      day(180, 150),
      day(181, 1150, 1000),
      day(365, 1035),
    ]);
    expect(timeWeighted).toBeCloseTo(1.5 * 0.9 - 1);
    expect(moneyWeighted).toBeLessThan(0);
    expect(resultUsd).toBe(-65);
  });

  test('behavior: a payout does not count as a loss', () => {
    const { resultUsd, timeWeighted } = returnsOf([
      day(0, 100, 100),
      day(10, 60, -50),
      day(20, 0, -60),
    ]);
    expect(resultUsd).toBe(10);
    expect(timeWeighted).toBeCloseTo(0.1);
  });

  test('behavior: days without a value are measured with the next that has one', () => {
    const { resultUsd, timeWeighted } = returnsOf([
      day(0, 100, 100),
      day(1, null),
      day(2, null, 50),
      day(3, 165),
      day(4, 330),
    ]);
    expect(resultUsd).toBe(180);
    expect(timeWeighted).toBeCloseTo(1.1 * 2 - 1);
  });

  test('behavior: without a newest value, there is no result', () => {
    const { resultUsd, moneyWeighted } = returnsOf([day(0, 100, 100), day(30, null)]);
    expect([resultUsd, moneyWeighted]).toEqual([null, null]);
  });

  test('behavior: no yearly rate for less than a week, and nothing without flows', () => {
    expect(returnsOf([day(0, 100, 100), day(3, 101)]).moneyWeighted).toBeNull();
    expect(returnsOf([])).toEqual({ resultUsd: 0, timeWeighted: null, moneyWeighted: null });
  });
});

describe('yearsOf', () => {
  test('default: a year starts with the value at the end of the year before', () => {
    expect(yearsOf([day(0, 100, 100), day(364, 108), day(365, 158, 50), day(400, 160)])).toEqual([
      { year: 2025, start: 0, flow: 100, end: 108, result: 8 },
      { year: 2026, start: 108, flow: 50, end: 160, result: 2 },
    ]);
  });

  test('behavior: a year has no result if a value at its start or its end is unknown', () => {
    const years = yearsOf([day(0, 100, 100), day(364, null), day(365, 108), day(731, 110)]);
    expect(years.map(({ start, end, result }) => [start, end, result])).toEqual([
      [0, null, null],
      [null, 108, null],
      [108, 110, 2],
    ]);
  });
});
