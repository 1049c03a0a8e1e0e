import { describe, expect, test } from 'vitest';
import { barTimes, flowDays, isCut } from './flows.ts';

const flows = {
  at: '2026-11-19T05:00:00.000Z',
  cutAt: null,
  days: [
    ...[{ at: '2026-11-16T00:00:00.000Z', deposited: '5', withdrawn: '0' }],
    ...[{ at: '2026-11-18T00:00:00.000Z', deposited: '0', withdrawn: '7' }],
  ].map((day) => ({ ...day, deposits: 1, withdrawals: 1 })),
};

describe('flowDays', () => {
  test('default: every day of the range, zero without flows', () => {
    const days = flowDays(flows, { from: '2026-11-15T09:00:00.000Z', to: flows.at });
    expect(days.map(({ at }) => at.slice(8, 10))).toEqual(['15', '16', '17', '18', '19']);
    expect(days.map(({ deposited }) => deposited)).toEqual([0n, 5n, 0n, 0n, 0n]);
    expect(days.map(({ withdrawn }) => withdrawn)).toEqual([0n, 0n, 0n, 7n, 0n]);
  });

  test('default: from the first flow without a start', () => {
    expect(flowDays(flows, { to: flows.at })).toHaveLength(4);
    expect(flowDays({ ...flows, days: [] }, { to: flows.at })).toEqual([]);
  });

  test('behavior: days before the first that is known are left out, not zero', () => {
    const cut = { ...flows, cutAt: '2026-11-15T00:00:00.000Z' };
    for (const from of [undefined, '2026-11-01T09:00:00.000Z']) {
      expect(flowDays(cut, { from, to: flows.at })[0]?.at).toBe(cut.cutAt);
      expect(isCut(cut, from)).toBe(true);
      expect(isCut(flows, from)).toBe(false);
    }
    const from = '2026-11-15T09:00:00.000Z';
    expect(flowDays(cut, { from, to: flows.at })).toHaveLength(5);
    expect(isCut(cut, from)).toBe(false);
  });
});

test('default: bars are in the middle of their days, with space around them', () => {
  const days = flowDays(flows, { from: '2026-11-18T00:00:00.000Z', to: flows.at });
  const texts = barTimes(days).map((time) => new Date(time * 1000).toISOString().slice(8, 13));
  expect(texts).toEqual(['18T00', '18T12', '19T12', '20T00']);
  expect(barTimes([])).toEqual([]);
});
