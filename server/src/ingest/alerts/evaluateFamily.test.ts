import { describe, expect, test } from 'vitest';
import type { AlertRuleConfig } from '../../config/config.ts';
import type { AlertRow } from '../../store/alerts/alerts.ts';
import type { UpdateTime } from '../../store/alerts/watchedSeries.ts';
import { evaluateClock } from './evaluateFamily.ts';
import type { FamilyToWatch } from './watchedRules.ts';

const HOUR = 3_600;
const NOW = 1_000 * HOUR;
const rule: AlertRuleConfig = {
  ...{ name: 'old-price', kind: 'feed-stale', families: ['one'], targets: [] },
  ...{ within: HOUR, silence: 0 },
  fire: { value: BigInt(25 * HOUR), decimals: 0 },
  clear: { value: BigInt(12 * HOUR), decimals: 0 },
};
type Kind = 'feed-stale' | 'oracle-stale';
const watched = (kind: Kind) =>
  ({
    ...{ familyId: 1, chainId: 1, nodeId: 'pool', rules: [{ ...rule, kind }] },
    family: { slug: 'one', priceFeed: 'usd', chains: [{ chainId: 1 }] },
  }) as unknown as FamilyToWatch;
const held = (active: boolean): AlertRow => ({
  ...{ name: 'old-price', familyId: 1, chainId: 1, reference: null, later: [] },
  ...{ active, firedAt: active ? NOW - HOUR : null, evaluatedUntil: NOW - HOUR },
});

const NONE = { states: [], feedTimes: new Map(), grades: new Map(), now: NOW };

describe.each(['feed-stale', 'oracle-stale'] as const)('%s', (kind) => {
  /** Evaluates an alert on a price of this age in hours. */
  function at(active: boolean, hours: number, own: Partial<UpdateTime> = {}) {
    const price = { updatedAt: NOW - hours * HOUR, indexedTime: NOW, isCatchingUp: false, ...own };
    const state = { familyId: 1, chainId: 1, indexedTime: NOW, gapSeconds: 0, published: price };
    const readings =
      kind === 'feed-stale'
        ? { ...NONE, feedTimes: new Map([['usd', price]]) }
        : { ...NONE, states: [state] };
    const [result] = evaluateClock(watched(kind), 1, [held(active)], readings);
    return [result!.transitions[0]?.status, result!.value];
  }

  test('default: fires at one age and clears at a smaller one', () => {
    expect(at(false, 24)).toEqual([undefined, BigInt(24 * HOUR)]);
    expect(at(false, 25)).toEqual(['fired', BigInt(25 * HOUR)]);
    expect(at(true, 13)).toEqual([undefined, BigInt(13 * HOUR)]);
    expect(at(true, 12)).toEqual(['cleared', BigInt(12 * HOUR)]);
  });

  test('behavior: a chain that is catching up does not make its prices stale', () => {
    const behind = { isCatchingUp: true, indexedTime: NOW - 29 * HOUR };
    expect(at(false, 30, behind)).toEqual([undefined, null]);
    expect(at(true, 30, behind)).toEqual([undefined, null]);
    // The price was stale before the blocks that are still to be read.
    expect(at(false, 60, behind)).toEqual(['fired', BigInt(31 * HOUR)]);
  });

  test('behavior: a price of an unreachable chain becomes stale', () => {
    expect(at(false, 30, { indexedTime: NOW - 29 * HOUR })[0]).toBe('fired');
  });

  test('behavior: without any price, nothing fires', () => {
    const [result] = evaluateClock(watched(kind), 1, [held(false)], NONE);
    expect(result).toMatchObject({ value: null, transitions: [] });
  });
});
