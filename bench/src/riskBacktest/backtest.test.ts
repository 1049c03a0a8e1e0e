import { describe, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { type Case, joinCases, RiskDataMissing, readCases, THEN } from './dataset.ts';
import { fitWeights } from './fit.ts';
import { foldOf } from './folds.ts';
import { auc } from './measure.ts';
import { type Facts, loadMethod } from './method.ts';
import { byGrade } from './report.ts';
import { START } from './startWeights.ts';

const SOURCE = new URL('../../../server/src/domain/risk/grade/', import.meta.url);
const method = await loadMethod(SOURCE, 'ts');
const folder = process.env.ASSAY_RISK_DATA;

const listed = {
  id: '7',
  name: 'Some Thing',
  symbol: '-',
  audits: '2',
  category: 'Dexes',
  chains: ['Ethereum'],
  listedAt: 1_650_000_000,
  tvl: 5e6,
  mcap: 0,
};

describe('dataset', () => {
  test('default', () => {
    const [only, ...others] = joinCases(
      [listed, { ...listed, id: '8' }],
      [{ id: '7', deadUrl: true }],
    );
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: '7', dead: true, rugged: false });
    expect(only!.facts).toMatchObject({ tvlUsd: 5e6, audits: { status: 'claimed' } });
    expect(only!.facts).not.toHaveProperty('marketCapUsd');
  });

  test('error: no data', () => {
    expect(() => readCases(undefined)).toThrow(RiskDataMissing);
    expect(() => readCases('/nowhere')).toThrow(RiskDataMissing);
  });
});

describe('fit', () => {
  /** A world in which forks die three times as often, and half of the deaths are shown. */
  function world(): Case[] {
    const random = createRandom(3);
    return Array.from({ length: 3000 }, (_, number) => {
      const isFork = random.below(2) === 0;
      const facts: Facts = {
        name: `${number}`,
        slug: `${number}`,
        category: 'Dexes',
        chains: ['bsc'],
        tvlUsd: 1e7,
        listedAt: THEN - 1e7,
        ...(isFork && { forkOf: ['another'] }),
      };
      const chance = 1 - Math.exp(isFork ? -0.9 : -0.3);
      const dead = random.below(1e6) < 0.5e6 * chance;
      return { id: `${number}`, facts, dead, rugged: false };
    });
  }

  test('behavior: finds the ratio that made the outcomes', () => {
    expect(fitWeights(world(), method).fork!.yes).toBeGreaterThan(2.3);
    expect(fitWeights(world(), method).fork!.yes).toBeLessThan(3.7);
  });

  test('behavior: without outcomes that speak, the start values stay', () => {
    const { audit } = fitWeights(world(), method);
    expect(audit!.unaudited! / audit!.three!).toBeCloseTo(
      (START.audit.unaudited / START.audit.three) ** 0.3,
    );
  });
});

test('behavior: a fold is the same in every run', () => {
  expect(['1', '2', '3', '4', '5', '6'].map((id) => foldOf(id))).toMatchInlineSnapshot(`
    [
      4,
      1,
      1,
      2,
      0,
      0,
    ]
  `);
});

describe.skipIf(folder === undefined)('real data', () => {
  test('behavior: the published figures are what the shipped method gives', async () => {
    const { BACKTEST } = await import(new URL('backtest.ts', SOURCE).href);
    const cases = readCases(folder);
    expect(cases).toHaveLength(BACKTEST.protocols);
    expect(byGrade(cases, method)).toEqual(BACKTEST.byGrade);
    const tvl = cases.map(({ facts }) => -facts.tvlUsd!);
    const start = cases.map(({ facts }) => method.hazard(facts, THEN, START));
    for (const { outcome, happened, tvlAlone, startWeights } of BACKTEST.auc) {
      const flags = cases.map(({ dead, rugged }) => (outcome === 'rugged' ? rugged : dead));
      expect(flags.filter(Boolean)).toHaveLength(happened);
      expect(auc(tvl, flags)).toBeCloseTo(tvlAlone, 3);
      expect(auc(start, flags)).toBeCloseTo(startWeights, 3);
    }
  });
});
