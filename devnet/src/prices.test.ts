import { describe, expect, test } from 'vitest';
import { FAMILIES, FEEDS } from './plan.ts';
import { feedPath, sharePricePath } from './prices.ts';

const START = 1_700_000_000;
const DAY = 86_400;

describe('sharePricePath', () => {
  test.each(FAMILIES)('default: $slug grows by 2% to 12% per year', (plan) => {
    const path = sharePricePath('seed', plan, START);
    const from = Number(path.at(START));
    const to = Number(path.at(START + 365 * DAY));
    expect(to / from - 1).toBeGreaterThan(0.018);
    expect(to / from - 1).toBeLessThan(0.12);
  });

  test('behavior: never falls, and does not depend on the order of calls', () => {
    const plan = FAMILIES[0]!;
    const forwards = sharePricePath('seed', plan, START);
    const times = Array.from({ length: 60 }, (_, index) => START + index * 7_777);
    const prices = times.map((time) => forwards.at(time));
    for (let index = 1; index < prices.length; index++) {
      expect(prices[index]! >= prices[index - 1]!).toBe(true);
    }
    const backwards = sharePricePath('seed', plan, START);
    expect(times.toReversed().map((time) => backwards.at(time))).toEqual(prices.toReversed());
  });
});

describe('feedPath', () => {
  test.each(FEEDS)('default: $name stays within half and double of its start', (plan) => {
    const path = feedPath('seed', plan, START);
    for (let day = 0; day < 120; day++) {
      const value = path.at(START + day * DAY);
      expect(value > plan.start / 2n && value < plan.start * 2n).toBe(true);
    }
  });
});
