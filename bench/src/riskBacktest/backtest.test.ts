import { describe, expect, test } from 'vitest';
import { FULL } from '../../../scripts/test/extents.mjs';
import { createRandom } from '../random.ts';
import { type Case, isShown, readPast } from './cases.ts';
import { crossFitHazards, measureAll } from './figures.ts';
import { fitClosureWeights } from './fitClosure.ts';
import { fitIncident, fitLossWeights } from './fitLoss.ts';
import { crossFit, foldOf } from './folds.ts';
import { fitHazard } from './hazardFit.ts';
import { checkLists, LaterFact, type Lists, RiskDataMissing, readLists, THEN } from './lists.ts';
import { scoresOf } from './scores.ts';
import { loadServer, type Tables } from './server.ts';

const server = await loadServer(new URL('../../../server/src/', import.meta.url), 'ts');
const { ASSAY_RISK_DATA: risk, ASSAY_INCIDENTS: incidents } = process.env;

/** An id that its hash puts in this half. */
const ID = ['1', '2', '3', '4', '5', '6', '7', '8'].find((id) => isShown('p', id))!;
const listed = {
  id: ID,
  name: 'Some Thing',
  symbol: '-',
  audits: '2',
  category: 'Lending',
  chains: ['Ethereum', 'Arbitrum'],
  chainTvls: { Ethereum: 3e6, Arbitrum: 2e6 },
  forkedFrom: ['Compound'],
  listedAt: THEN - 1e7,
  tvl: 5e6,
};
const pool = {
  project: 'some-thing',
  tvlUsd: 8e6,
  apy: 4,
  pool: 'a',
  timestamp: '2022-11-28 12:04:57',
};
const incident = {
  protocolId: ID,
  date: '2023-02-03',
  victims: 'depositors',
  match: 'exact',
  confidence: 'high',
  shareOfTvl2022: 0.2,
  loss: true,
} as const;
const lists: Lists = {
  protocols: [listed],
  pools: [pool],
  coins: [],
  later: [{ id: ID, deadUrl: true }],
  incidents: [incident],
  coinRows: [],
};

describe('readPast', () => {
  test('default', () => {
    const { cases, graph } = readPast(checkLists(lists), server);
    expect(cases).toHaveLength(1);
    expect(cases[0]).toMatchObject({
      id: ID,
      around: { onRollup: true },
      facts: { tvlUsd: 5e6, poolsApy: 0.04, forkOf: ['compound-v2'], hasToken: false },
      outcome: { losses: [{ share: 0.2, isSure: true }], closed: true, throughOthers: false },
    });
    expect(graph.nodes.get('chain:arbitrum')?.facts).toMatchObject({ kind: 'rollup' });
  });

  test('behavior: the held-out half has no outcomes', () => {
    const other = ['1', '2', '3', '4', '5', '6', '7', '8'].find((id) => !isShown('p', id))!;
    const { cases } = readPast({ ...lists, protocols: [{ ...listed, id: other }] }, server);
    expect(cases[0]!.outcome).toBeUndefined();
  });

  test('error: no data', () => {
    expect(() => readLists(undefined, undefined)).toThrow(RiskDataMissing);
    expect(() => readLists('/nowhere', '/nowhere')).toThrow('ASSAY_RISK_DATA');
  });
});

describe('no fact from after 2022-11', () => {
  test.each<[string, Partial<Lists>, string]>([
    ['an end', { protocols: [{ ...listed, deadFrom: '2024-01-01' } as never] }, 'deadFrom'],
    ['a rug', { protocols: [{ ...listed, rugged: true } as never] }, 'rugged'],
    ['hallmarks', { protocols: [{ ...listed, hallmarks: [[1, 'hack']] } as never] }, 'hallmarks'],
    ['a later listing', { protocols: [{ ...listed, listedAt: THEN }] }, 'dated'],
    ['a later pool', { pools: [{ ...pool, timestamp: '2022-12-01 00:00:00' }] }, 'dated'],
    [
      'an end of a coin',
      { coins: [{ id: '1', name: 'X', deadFrom: '2025' } as never] },
      'deadFrom',
    ],
    ['an incident from before', { incidents: [{ ...incident, date: '2022-11-30' }] }, 'no outcome'],
  ])('error: %s is planted and caught', (_, planted, message) => {
    expect(() => checkLists({ ...lists, ...planted })).toThrow(LaterFact);
    expect(() => checkLists({ ...lists, ...planted })).toThrow(message);
  });

  test('behavior: the later list changes no fact except the closure of a protocol', () => {
    const later = [
      { id: ID, deadUrl: true, tvl: 1, category: 'Ponzi', chains: ['Celo'], audits: '0' },
    ];
    const facts = (some: Lists) => readPast(some, server).cases.map((each) => each.facts);
    expect(facts({ ...lists, later } as Lists)).toEqual(facts(lists));
    expect(facts({ ...lists, incidents: [] })).toEqual(facts(lists));
  });

  test.runIf(FULL)("behavior: a protocol's outcome never affects its own score", () => {
    const before = world();
    const at = before.findIndex(({ outcome }) => outcome!.losses.length === 0);
    const planted = before.map((one, place) => (place === at ? withLoss(one) : one));
    const scores = (cases: Case[]) => crossFitHazards({ cases, graph: EMPTY }, server).fitted;
    const [left, right] = [scores(before), scores(planted)];
    expect(right[at]).toEqual(left[at]);
    // The others depend on it, so the planted fact would have an effect.
    expect(right.filter((score, place) => score.loss !== left[place]!.loss).length).toBeGreaterThan(
      100,
    );
  });
});

const EMPTY = { nodes: new Map(), edges: [] };

function withLoss(one: Case): Case {
  const loss = { at: THEN + 1, share: 1, isSure: true };
  return { ...one, outcome: { ...one.outcome!, losses: [loss] } };
}

/** Returns protocols; those on a rollup lose three times as often. */
function world(size = 800): Case[] {
  const random = createRandom(3);
  return Array.from({ length: size }, (_, number) => {
    const onRollup = random.below(2) === 0;
    const chance = 1 - Math.exp(onRollup ? -0.3 : -0.1);
    const hasLost = random.below(1e6) < 1e6 * chance;
    const plain: Case = {
      id: `${number}`,
      nodeId: `protocol:${number}`,
      facts: { name: 'X', slug: 'x', category: 'Dexes', chains: ['bsc'], tvlUsd: 1e7 },
      around: { onRollup },
      tvlUsd: 1e7,
      tried: { audited: false, years: 1, liquidityMining: false, mostApy: 0 },
      outcome: { losses: [], incidents: [], throughOthers: false, closed: number % 3 === 0 },
    };
    return hasLost ? withLoss(plain) : plain;
  });
}

describe('fit', () => {
  test('behavior: finds the ratio that generated the outcomes, regularized toward 1', () => {
    const { yes } = fitLossWeights(world(4000), server).rollup!;
    expect(yes).toBeGreaterThan(2.4);
    expect(yes).toBeLessThan(3.2);
  });

  test('behavior: a fact without effect on the outcomes stays at 1', () => {
    const { copy, yield: yields } = fitLossWeights(world(), server);
    expect(copy!.yes).toBeCloseTo(1);
    expect(yields![10]).toBeCloseTo(1);
  });

  test('behavior: without facts, the rate is the share of events', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ values: [0], happened: at < 25 }));
    const { base, logs } = fitHazard(rows, 4);
    expect(1 - Math.exp(-Math.exp(base))).toBeCloseTo(0.25);
    expect(logs).toEqual([0]);
  });

  test('behavior: an incident is regularized toward 1 too', () => {
    expect(fitIncident(10, 10)).toBeCloseTo(1);
    expect(fitIncident(20, 10)).toBeGreaterThan(1.5);
    expect(fitIncident(20, 10)).toBeLessThan(2);
  });

  test('behavior: closure is predicted by size', () => {
    const cases = world(2000).map((one, at): Case => {
      const tvlUsd = at % 2 === 0 ? 1e4 : 1e8;
      const closed = at % 2 === 0 ? at % 3 !== 0 : at % 10 === 1;
      return {
        ...one,
        tvlUsd,
        facts: { ...one.facts, tvlUsd },
        outcome: { ...one.outcome!, closed },
      };
    });
    const weights = fitClosureWeights(cases, server);
    const chance = (tvlUsd: number) =>
      1 -
      Math.exp((-server.closureHazard({ ...cases[0]!.facts, tvlUsd }, weights) / 100) * (41 / 12));
    expect(chance(1e4)).toBeCloseTo(0.66, 1);
    expect(chance(1e8)).toBeCloseTo(0.2, 1);
  });
});

test('behavior: a fold is the same in every run', () => {
  expect(['1', '2', '3', '4', '5', '6'].map((id) => foldOf(id))).toEqual([4, 1, 1, 2, 0, 0]);
  const seen: number[] = [];
  crossFit([{ id: '1' }, { id: '2' }, { id: '3' }], (others) => {
    seen.push(others.length);
    return () => 1;
  });
  expect(Math.max(...seen)).toBe(3);
});

/** Fits the weights several times, which takes half a minute, so only `npm run test:full` runs it. */
describe.runIf(FULL && risk !== undefined && incidents !== undefined)('real data', () => {
  const real = () => readLists(risk, incidents);

  test('behavior: the published values match the measured ones', () => {
    const read = real();
    expect(measureAll(read, readPast(read, server), server)).toEqual(server.backtest);
  });

  test('behavior: the published counts match the data', () => {
    const { cases } = readPast(real(), server);
    const watched = cases.filter(({ outcome, tvlUsd }) => outcome !== undefined && tvlUsd > 1e6);
    const lost = ({ outcome }: Case) =>
      outcome!.losses.some(({ share }) => share === undefined || share >= 0.01);
    const count = (those: readonly Case[]) => ({
      of: those.length,
      lost: those.filter(lost).length,
    });
    const { LOST_OF_ALL, LOST_BY_KIND, LOST_BY_BACKING, CLOSED_BY_SIZE, CLOSED_OF_ALL } =
      server.counts;
    expect(count(watched)).toEqual(LOST_OF_ALL);
    for (const [kind, published] of Object.entries(LOST_BY_KIND as object)) {
      const those = watched.filter(
        ({ facts, around }) => server.lossBands(facts, around).kind === kind,
      );
      const rollup = count(those.filter(({ around }) => around.onRollup === true));
      expect({ all: count(those), rollup }, kind).toEqual(published);
    }
    const coins = (server.backtest as { stablecoins: { kind: string; of: number; lost: number }[] })
      .stablecoins;
    expect(
      Object.fromEntries(coins.map(({ kind, of, lost: n }) => [kind, { of, lost: n }])),
    ).toEqual(LOST_BY_BACKING);
    const ended = cases.filter(({ outcome }) => outcome?.closed !== undefined);
    const closed = (those: readonly Case[]) => ({
      of: those.length,
      closed: those.filter(({ outcome }) => outcome!.closed).length,
    });
    expect(closed(ended)).toEqual(CLOSED_OF_ALL);
    let upTo = Number.POSITIVE_INFINITY;
    for (const { from, ...published } of CLOSED_BY_SIZE as {
      from: number;
      of: number;
      closed: number;
    }[]) {
      expect(closed(ended.filter(({ tvlUsd }) => tvlUsd >= from && tvlUsd < upTo))).toEqual(
        published,
      );
      upTo = from;
    }
  });

  test('behavior: the shipped weights are the fitted ones, rounded', () => {
    const cases = readPast(real(), server).cases.filter(({ outcome }) => outcome !== undefined);
    const near = (fitted: Tables, shipped: Tables) => {
      for (const [factor, table] of Object.entries(fitted))
        for (const [band, value] of Object.entries(table))
          expect(shipped[factor]![band]! / value, `${factor} ${band}`).toBeCloseTo(1, 1);
    };
    near(fitLossWeights(cases, server), server.lossWeights);
    near(fitClosureWeights(cases, server), server.closureWeights);
  });

  test('behavior: scores every protocol of both halves', () => {
    const read = real();
    const scores = scoresOf(readPast(read, server), server);
    expect(scores).toHaveLength(read.protocols.length);
    expect(scores.every(({ loss, closure }) => loss > 0 && closure > 0)).toBe(true);
    const without = scoresOf(readPast({ ...read, incidents: [], later: [] }, server), server);
    expect(without).toEqual(scores);
  });
});
