import { describe, expect, test } from 'vitest';
import { changeOf, exitsByWait, netFlowUsd, sumOf, totalByDay, totalChange } from './figures.ts';
import type { FamilyOverview, ValueNow } from './overview.ts';

const value = (at: string, tvl: string, usd: number | null, shares: string | null): ValueNow => ({
  at: `${at}T12:00:00.000Z`,
  ...{ tvl, usd, shares },
});
const family = (slug: string, rest: Partial<FamilyOverview>): FamilyOverview => ({
  ...{ slug, weekAgo: null, dayAgo: null, now: null, days: [], lowestScore: null, exits: null },
  ...rest,
});

describe('changes', () => {
  const before = value('2026-01-01', '1000', 1000, '1000');
  const now = value('2026-01-02', '1320', 1320, '1200');

  test('default: TVL grows with deposits and earnings, flows only with deposits', () => {
    expect(changeOf(before, now)).toBe(0.32);
    expect(netFlowUsd(before, now)).toBeCloseTo(220, 2);
    expect(netFlowUsd(now, value('2026-01-03', '1100', 1100, '1000'))).toBeCloseTo(-220, 2);
    // A deposit of one share into a billion.
    const billion = value('2026-01-02', '1000000000', 1e9, '1000000000');
    expect(netFlowUsd(value('2026-01-01', '1', 1, '999999999'), billion)).toBeCloseTo(1, 6);
  });

  test('default: the total changes by the families that are known at both times', () => {
    const known = (dayAgo: ValueNow | null, usd: number | null) =>
      family('x', { dayAgo, now: value('2026-01-02', '1', usd, null) });
    const families = [known(before, 1100), known(null, 500), known(before, null)];
    const { fraction, unknown } = totalChange(families);
    expect(fraction).toBeCloseTo(0.1, 9);
    expect(unknown).toBe(1);
    expect(totalChange([known(null, 500)])).toEqual({ fraction: null, unknown: 1 });
  });

  test('behavior: unknown is null, and never zero', () => {
    expect(changeOf(null, now)).toBeNull();
    expect(changeOf(value('2026-01-01', '0', 0, '0'), now)).toBeNull();
    expect(netFlowUsd(before, value('2026-01-02', '1320', null, '1200'))).toBeNull();
    expect(netFlowUsd(value('2026-01-01', '1', 1, null), now)).toBeNull();
    expect(netFlowUsd(before, value('2026-01-02', '0', 0, '0'))).toBeNull();
  });

  test('behavior: a sum says how many it does not include', () => {
    expect(sumOf([1, null, 2])).toEqual({ value: 3, unknown: 1 });
    expect(sumOf([null])).toEqual({ value: null, unknown: 1 });
  });
});

describe('totals', () => {
  test('default: a family keeps its last value, and has none before its first', () => {
    const families = [
      family('a', {
        days: [value('2026-01-01', '1', 10, null), value('2026-01-03', '1', 30, null)],
      }),
      family('b', { days: [value('2026-01-02', '1', 5, null)] }),
    ];
    expect(totalByDay(families).values).toEqual([10, 15, 35]);
    expect(totalByDay(families).times.map((time) => time % 86_400)).toEqual([0, 0, 0]);
  });

  test('behavior: a day on which a price is missing has no total', () => {
    const days = (...usd: (number | null)[]) =>
      usd.map((one, i) => value(`2026-01-0${i + 1}`, '1', one, null));
    const families = [
      family('a', { days: days(10, null, 30) }),
      family('b', { days: days(5, 5, 5) }),
      family('never', { days: days(null, null, null) }),
    ];
    expect(totalByDay(families).values).toEqual([15, null, 35]);
  });
});

describe('exits', () => {
  test('default: the shortest and the longest measured wait', () => {
    const exits = (medianSeconds: number | null) => ({ requests: 3, medianSeconds, waiting: 0 });
    const families = [
      family('slow', { exits: exits(900) }),
      family('unknown', { exits: exits(null) }),
      family('fast', { exits: exits(10) }),
    ];
    const { fastest, slowest } = exitsByWait(families);
    expect([fastest?.slug, slowest?.slug]).toEqual(['fast', 'slow']);
    expect(exitsByWait(families.slice(0, 1)).slowest).toBeUndefined();
  });
});
