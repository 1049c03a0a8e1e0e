import { describe, expect, test } from 'vitest';
import { evaluate, NEVER_FIRED } from './evaluate.ts';
import { type FamilySeries, observe, observeGrade, toPpm } from './observe.ts';
import type { AlertKind, AlertRule } from './rule.ts';

const EMPTY: FamilySeries = {
  ...{ ticks: [], deposits: [], exits: [], queueSteps: [], governance: [] },
};
const tick = (at: number, own: Partial<FamilySeries['ticks'][number]> = {}) => ({
  ...{ at, tvl: 1_000n, idle: 100n, queue: 0n, apy: null },
  ratio: { assets: 1_000_000n, shares: 1_000_000n },
  ...own,
});
const rule = (kind: AlertKind, own: Partial<AlertRule> = {}): AlertRule => ({
  ...{ name: 'test', kind, fire: 1n, clear: 0n, within: 600, silence: 0 },
  ...own,
});
const span = { after: 0, until: 10_000 };
const values = (found: ReturnType<typeof observe>) => found.map(({ at, value }) => [at, value]);

describe('observe', () => {
  test('share price: the fall from the highest in the window', () => {
    const priced = (at: number, assets: bigint) => tick(at, { ratio: { assets, shares: 100n } });
    const ticks = [priced(300, 200n), priced(600, 199n), priced(900, 198n), priced(1_200, 198n)];
    expect(values(observe(rule('share-price-falls'), { ...EMPTY, ticks }, span))).toEqual([
      [300, 0n],
      [600, 5_000n],
      // At 900, the tick at 300 is outside the window.
      [900, 5_025n],
      [1_200, 0n],
    ]);
  });

  test('behavior: a tick without a price is not an observation', () => {
    const ticks = [tick(300), tick(600, { ratio: null }), tick(900)];
    expect(values(observe(rule('share-price-falls'), { ...EMPTY, ticks }, span))).toEqual([
      [300, 0n],
      [900, 0n],
    ]);
  });

  test('TVL and liquidity: a move in either direction', () => {
    const ticks = [
      tick(300, { tvl: 100n, idle: 0n }),
      tick(400, { tvl: 150n, idle: 50n }),
      tick(500, { tvl: 75n, idle: 0n }),
    ];
    expect(values(observe(rule('tvl-moves'), { ...EMPTY, ticks }, span))).toEqual([
      [300, 0n],
      [400, 500_000n],
      [500, 500_000n],
    ]);
    // A rise from zero has no ratio; a fall to zero is 100%.
    expect(values(observe(rule('liquidity-moves'), { ...EMPTY, ticks }, span))).toEqual([
      [300, null],
      [400, 0n],
      [500, 1_000_000n],
    ]);
  });

  test('deposits and exits: the largest in the window, at once and until it is over', () => {
    const deposits = [
      { at: 350, value: 10n },
      { at: 360, value: 70n },
    ];
    const ticks = [tick(300), tick(600), tick(900), tick(1_200)];
    const found = observe(rule('large-deposit'), { ...EMPTY, ticks, deposits }, span);
    expect(values(found)).toEqual([
      [300, 0n],
      [350, 10n],
      [360, 70n],
      [600, 70n],
      [900, 70n],
      [1_200, 0n],
    ]);
    expect(
      values(observe(rule('large-exit'), { ...EMPTY, ticks, deposits }, span)).every(
        ([, value]) => value === 0n,
      ),
    ).toBe(true);
  });

  test('governance: the number of changes in the window', () => {
    const series = { ...EMPTY, ticks: [tick(300), tick(900)], governance: [310, 320] };
    expect(values(observe(rule('governance'), series, span))).toEqual([
      [300, 0n],
      [310, 1n],
      [320, 2n],
      [900, 2n],
    ]);
  });

  test('governance: each change fires, also while the alert is active and silent', () => {
    const ticks = [300, 600, 900, 1_200].map((at) => tick(at));
    const series = { ...EMPTY, ticks, governance: [310, 320, 1_100] };
    const of = rule('governance', { silence: 5_000 });
    const { transitions } = evaluate(of, NEVER_FIRED, observe(of, series, span));
    const fired = transitions.filter(({ status }) => status === 'fired');
    expect(fired.map(({ at }) => at)).toEqual([310, 320, 1_100]);
  });

  test('APY: the distance outside its band', () => {
    const band = { low: 20_000n, high: 100_000n };
    const ticks = [0.01, 0.05, 0.12, null].map((apy, i) => tick(300 * (i + 1), { apy }));
    expect(values(observe(rule('apy-outside', { band }), { ...EMPTY, ticks }, span))).toEqual([
      [300, 10_000n],
      [600, -30_000n],
      [900, 20_000n],
      [1_200, null],
    ]);
    expect(toPpm(-0.0123)).toBe(-12_300n);
  });

  test('waits: the age of the oldest pending request', () => {
    const step = (at: number, wallet: string, type: 'redeem' | 'withdraw') => ({
      ...{ at, wallet, type, chainId: 1, shares: 5n, assets: 5n },
    });
    const queueSteps = [
      step(100, 'a', 'redeem'),
      step(500, 'b', 'redeem'),
      step(800, 'a', 'withdraw'),
    ];
    const ticks = [tick(90), tick(600), tick(900)];
    expect(values(observe(rule('wait-above'), { ...EMPTY, ticks, queueSteps }, span))).toEqual([
      [90, 0n],
      [600, 500n],
      [900, 400n],
    ]);
  });

  test('behavior: only times after the last evaluation, with the window before them', () => {
    const ticks = [tick(300, { tvl: 200n }), tick(600, { tvl: 100n }), tick(900, { tvl: 100n })];
    const found = observe(rule('tvl-moves'), { ...EMPTY, ticks }, { after: 300, until: 600 });
    expect(values(found)).toEqual([[600, 500_000n]]);
  });
});

describe('observeGrade', () => {
  const graded = rule('grade-changed');

  test('default', () => {
    expect(observeGrade(graded, NEVER_FIRED, { reference: 1n, now: 1n, at: 5 }).value).toBe(0n);
    expect(observeGrade(graded, NEVER_FIRED, { reference: 1n, now: 2n, at: 5 }).value).toBe(1n);
    expect(observeGrade(graded, NEVER_FIRED, { reference: null, now: 2n, at: 5 }).value).toBe(null);
  });

  test('behavior: an active one clears when its time is over', () => {
    const active = { active: true, firedAt: 1_000 };
    const reading = { reference: 2n, now: 2n };
    expect(observeGrade(graded, active, { ...reading, at: 1_599 }).value).toBe(null);
    expect(observeGrade(graded, active, { ...reading, at: 1_600 }).value).toBe(0n);
  });
});
