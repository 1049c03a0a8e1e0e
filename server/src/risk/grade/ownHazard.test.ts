import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssetFacts, PoolFacts, ProtocolFacts, RiskNode } from '../../domain/risk/graph.ts';
import { assetHazard } from './asset.ts';
import { lostLikeThis } from './baseRates.ts';
import type { ProtocolKind } from './category.ts';
import { chainHazard } from './chain.ts';
import { CLOSURE_FLOOR_FROM, closureHazard, LIKELY_TO_CLOSE } from './closure.ts';
import { gradeGraph } from './gradeGraph.ts';
import { LOSS_WEIGHTS } from './lossWeights.ts';
import { gradeOf } from './method.ts';
import { poolHazard } from './pool.ts';
import { protocolHazard } from './protocol.ts';

const NOW = 1_800_000_000;
const YEAR = 31_556_952;
const protocol: ProtocolFacts = {
  name: 'Example',
  slug: 'example',
  symbol: 'EX',
  category: 'Lending',
  chains: ['ethereum', 'base'],
  tvlUsd: 2e9,
  marketCapUsd: 3e8,
  listedAt: NOW - 6 * YEAR,
  audits: { status: 'reports', reports: 3 },
  oracles: ['Chainlink'],
  upgrades: { by: 'timelock', delaySeconds: 3 * 86_400 },
};
const asset: AssetFacts = {
  name: 'USD',
  kind: 'fiat-backed',
  peg: 'USD',
  pegDeviation: 0,
  marketCapUsd: 2e10,
  attested: true,
};
const pool: PoolFacts = {
  name: 'Pool',
  chain: 'ethereum',
  protocol: 'example',
  assets: 'single',
  tvlUsd: 2e8,
  apy: 0.04,
};

describe('protocolHazard', () => {
  const own = (more: Partial<ProtocolFacts> = {}, onRollup = false) =>
    protocolHazard({ ...protocol, ...more }, NOW, { onRollup });
  const grade = (more: Partial<ProtocolFacts>) => gradeOf(own(more).hazard);
  const times = (more: Partial<ProtocolFacts>, onRollup = false) =>
    own(more, onRollup).hazard / own().hazard;

  test('default', () => {
    expect(gradeOf(own().hazard)).toBe('C');
    expect(own().known).toBe(own().asked);
    expect(own({}, true).rows).toMatchInlineSnapshot(`
      [
        {
          "answer": "Lending: judged as lending; this counts much against it.",
          "question": "What kind of protocol is it?",
        },
        {
          "answer": "Not that is known.",
          "question": "Is it a copy of another protocol?",
        },
        {
          "answer": "On 2; this counts against it.",
          "question": "On how many chains does it run?",
        },
        {
          "answer": "Yes; this counts much against it.",
          "question": "Does it run on a rollup?",
        },
        {
          "answer": "No large pool of it is listed.",
          "question": "What do its large pools pay?",
        },
        {
          "answer": "Changes wait 72 hours in a timelock; this counts for it.",
          "question": "Who can change its contracts, and how fast?",
        },
        {
          "answer": "No incident is on record.",
          "question": "Has it lost money before?",
        },
        {
          "answer": "TVL 2 billion USD: of 34 protocols of about that size, none was given up 41 months later.",
          "question": "How much is entrusted to it, and will it last?",
        },
        {
          "answer": "Its token is worth 300 million USD in all.",
          "question": "Does it have a token of its own, and is it worth something?",
        },
      ]
    `);
    expect(own().likeIt).toMatchInlineSnapshot(
      `"Of 58 protocols like this (lending) above 1 million USD, 15 are known to have lost 1% or more in the 45 months from December 2022."`,
    );
  });

  test('behavior: floors', () => {
    expect(grade({ rugged: true })).toBe('F');
    expect(grade({ incidents: [{ at: NOW - 29 * 86_400 }] })).toBe('F');
    expect(grade({ incidents: [{ at: NOW - 31 * 86_400 }] })).not.toBe('F');
    expect(grade({ category: 'Dexes', dead: true })).toBe('D');
    expect(grade({ category: 'Dexes', deprecated: true })).toBe('D');
  });

  test('behavior: few known facts give C or worse, and each unknown fact is reported', () => {
    const few = protocolHazard({ name: 'X', slug: 'x', category: 'Dexes', tvlUsd: 1e10 }, NOW);
    expect(gradeOf(few.hazard)).toBe('B');
    expect(gradeOf(few.atLeast)).toBe('C');
    const unknown = few.rows.filter(({ answer }) => answer.includes('not known'));
    // Whether a protocol runs on a rollup is not one of the requested facts.
    expect(unknown).toHaveLength(few.asked - few.known + 1);
  });

  test('behavior: size does not change the hazard, but a protocol that is too small gets C at best', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 11, noNaN: true }), (log) => {
        const { hazard, atLeast } = own({ tvlUsd: 10 ** log, category: 'Dexes' });
        expect(hazard).toBe(own({ category: 'Dexes' }).hazard);
        expect(gradeOf(atLeast)).toBe(10 ** log < 1e5 ? 'C' : 'B');
      }),
    );
    const most = { ...protocol, tvlUsd: 2e5, forkOf: ['uniswap'], marketCapUsd: undefined };
    expect(closureHazard(most as ProtocolFacts)).toBeGreaterThan(CLOSURE_FLOOR_FROM);
    expect(own(most as ProtocolFacts).heldBy).toBe(LIKELY_TO_CLOSE.because);
  });

  test('behavior: size, token, and forks change the closure, never a hazard of loss', () => {
    const facts = fc.record({
      tvlUsd: fc.double({ min: 1, max: 1e11, noNaN: true }),
      marketCapUsd: fc.double({ min: 1, max: 1e11, noNaN: true }),
      hasToken: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (more) => {
        const [plain, other] = [own(), own(more)];
        expect(other.hazard).toBe(plain.hazard);
        expect(other.atLeast).toBeGreaterThanOrEqual(plain.atLeast);
      }),
    );
    expect(closureHazard({ ...protocol, tvlUsd: 1e4 })).toBeGreaterThan(closureHazard(protocol));
  });

  test("behavior: each counted fact has the table's weight", () => {
    expect(times({}, true)).toBeCloseTo(LOSS_WEIGHTS.rollup.yes);
    expect(times({ forkOf: ['aave-v2'] })).toBeCloseTo(LOSS_WEIGHTS.copy.yes);
    expect(times({ forkOf: ['uniswap-v2', 'aavegotchi'] })).toBe(1);
    expect(times({ poolsApy: 0.3 })).toBeCloseTo(LOSS_WEIGHTS.yield[10]);
    expect(times({ poolsApy: 0.05 })).toBeCloseTo(LOSS_WEIGHTS.yield[5]);
    expect(times({ incidents: [{ at: NOW - YEAR }, { at: NOW - 4 * YEAR }] })).toBeCloseTo(
      LOSS_WEIGHTS.incident.yes,
    );
    expect(times({ chains: new Array(30).fill('x') })).toBeCloseTo(
      LOSS_WEIGHTS.chains[8] / LOSS_WEIGHTS.chains[2],
    );
    expect(times({ audits: { status: 'unaudited' }, listedAt: NOW, oracles: [] })).toBe(1);
  });

  test('behavior: counts similar protocols, from the smallest group with enough of them', () => {
    const answerOf = (kind: ProtocolKind | 'unknown', onRollup: boolean, tvlUsd = 1e7) =>
      lostLikeThis({ kind, onRollup, tvlUsd });
    expect(answerOf('lending', true)).toMatch(
      /^Of 11 protocols like this \(lending, on a rollup\)/,
    );
    expect(answerOf('lending', false)).toMatch(/^Of 58 protocols like this \(lending\) above/);
    expect(answerOf('bridge', true)).toMatch(/^Of 17 protocols like this \(bridge\) .* 1 is known/);
    expect(answerOf('custodian', true)).toMatch(
      /^Of 363 protocols above 1 million USD, 37 are known/,
    );
    expect(answerOf('unknown', true)).toMatch(/^Of 363 protocols above/);
    expect(answerOf('staking', false)).toMatch(/none is known to have lost .* December 2022\.$/);
    expect(answerOf('staking', false, 1e5)).toMatch(
      /Losses of smaller ones are seldom reported\.$/,
    );
  });
});

describe('assetHazard', () => {
  const grade = (more: Partial<AssetFacts>) => {
    const { hazard, atLeast } = assetHazard({ ...asset, ...more });
    return gradeOf(Math.max(hazard, atLeast));
  };

  test('default', () => {
    expect(grade({})).toBe('B');
    expect(grade({ kind: 'native' })).toBe('A');
    expect(grade({ attested: false, marketCapUsd: 2e7 })).toBe('B');
    expect(grade({ kind: 'crypto-backed', marketCapUsd: 2e7 })).toBe('C');
    expect(grade({ kind: 'algorithmic', marketCapUsd: 2e7 })).toBe('D');
  });

  test('behavior: floors', () => {
    expect(grade({ pegDeviation: 0.03 })).toBe('B');
    expect(grade({ pegDeviation: 0.031 })).toBe('D');
    expect(grade({ pegDeviation: 0.11 })).toBe('F');
    expect(grade({ dead: true })).toBe('F');
  });

  test('behavior: unknown is not safe', () => {
    expect(gradeOf(assetHazard({ name: 'X' }).hazard)).toBe('C');
    expect(assetHazard({ name: 'X' }).known).toBe(0);
  });
});

describe('chainHazard', () => {
  const grade = (more: object) => {
    const { hazard, atLeast } = chainHazard({ name: 'X', slug: 'x', ...more });
    return gradeOf(Math.max(hazard, atLeast));
  };

  test('default', () => {
    expect(grade({ slug: 'ethereum' })).toBe('A');
    expect(grade({ kind: 'rollup', stage: 1 })).toBe('A');
    expect(grade({ kind: 'rollup' })).toBe('B');
    expect(grade({ kind: 'other', tvlUsd: 1e10 })).toBe('B');
    expect(grade({ kind: 'other', tvlUsd: 1e6 })).toBe('C');
    expect(grade({ dead: true, slug: 'ethereum' })).toBe('D');
    expect(gradeOf(chainHazard({ name: 'X', slug: 'x' }).atLeast)).toBe('C');
  });
});

describe('poolHazard', () => {
  const hazard = (more: Partial<PoolFacts>) => poolHazard({ ...pool, ...more }).hazard;

  test('default', () => {
    expect(hazard({})).toBeCloseTo(0.1);
    expect(hazard({ assets: 'uncorrelated', concentrated: true })).toBeCloseTo(2.25);
    expect(hazard({ apy: 5, outlier: true, tvlUsd: 10 })).toBeCloseTo(0.1);
    expect(gradeOf(poolHazard(pool).atLeast)).toBe('B');
    expect(gradeOf(poolHazard({ ...pool, tvlUsd: 99_999 }).atLeast)).toBe('C');
  });
});

describe('rationale', () => {
  const nodes = new Map<string, RiskNode>([
    ['pool:p', { id: 'pool:p', label: 'Pool', facts: pool }],
    ['protocol:example', { id: 'protocol:example', label: 'Protocol', facts: protocol }],
    ['asset:usd', { id: 'asset:usd', label: 'Asset', facts: { ...asset, pegDeviation: 0.2 } }],
  ]);
  const edges = [
    { type: 'OPERATED_BY', sourceId: 'pool:p', targetId: 'protocol:example', weight: 1 },
    { type: 'ACCEPTS_DEPOSITS_IN', sourceId: 'pool:p', targetId: 'asset:usd', weight: 1 },
  ] as const;
  const result = gradeGraph({ nodes, edges }, { now: NOW, hash: String }).get('pool:p')!;

  test('default', () => {
    expect(result).toMatchObject({ grade: 'F', coverage: 1 });
    expect(result.breakdown).toMatchInlineSnapshot(`
      [
        {
          "answer": "One asset.",
          "question": "What is in it?",
        },
        {
          "answer": "TVL 200 million USD.",
          "question": "How much is in it?",
        },
        {
          "answer": "Yes.",
          "question": "Is it known whose contracts it runs on?",
        },
        {
          "answer": "USD, graded F.",
          "question": "What does it take in?",
        },
        {
          "answer": "Example, graded C.",
          "question": "Whose contracts does it run on?",
        },
        {
          "answer": "Of 58 protocols like this (lending) above 1 million USD, 15 are known to have lost 1% or more in the 45 months from December 2022.",
          "question": "How did others like it fare?",
        },
        {
          "answer": "F: what weighs most is USD (it is far off its peg). It is graded F as long as it depends on USD, where it is far off its peg. Every fact that is asked for is known.",
          "question": "Why this grade?",
        },
      ]
    `);
  });

  function why(facts: ProtocolFacts): string {
    const node: RiskNode = { id: 'protocol:x', label: 'Protocol', facts };
    const graded = gradeGraph(
      { nodes: new Map([[node.id, node]]), edges: [] },
      { now: NOW, hash: String },
    );
    return graded.get(node.id)!.breakdown.at(-1)!.answer;
  }

  test('behavior: a floor is named first if it decides the grade, otherwise not', () => {
    const copied = { ...protocol, forkOf: ['compound'] };
    expect(why(copied)).toMatch(/^[CD]: what weighs most is what it is itself \(being a copy of /);
    expect(why({ ...copied, rugged: true })).toMatch(
      /^F: what weighs most is that its team took the money\. /,
    );
    expect(why({ ...copied, deprecated: true, incidents: [{ at: NOW - 60 }] })).toMatch(
      /^F: what weighs most is that it was hacked less than 30 days ago\. /,
    );
    const keyed: ProtocolFacts = { ...copied, upgrades: { by: 'single-key' }, poolsApy: 1 };
    expect(why({ ...keyed, dead: true })).toMatch(
      /^[DF]: what weighs most is what it is itself \(.*D or worse while it is dead/,
    );
    expect(why({ ...protocol, category: 'Dexes', tvlUsd: 5e3, chains: ['bsc'] })).toMatch(
      /^C: what weighs most is that it is too small to tell: losses there are seldom reported\. Every/,
    );
    expect(why({ name: 'X', slug: 'x', category: 'Dexes', tvlUsd: 1e10 })).toMatch(
      /^C: what weighs most is that fewer than half of the facts asked for are known\. /,
    );
  });

  test('behavior: a lack of facts about a dependency is named if it decides the grade', () => {
    const poor: RiskNode = {
      id: 'protocol:x',
      label: 'Protocol',
      facts: { name: 'X', slug: 'x', category: 'Dexes', tvlUsd: 1e10 },
    };
    const graph = {
      nodes: new Map<string, RiskNode>([
        ['pool:p', { id: 'pool:p', label: 'Pool', facts: pool }],
        [poor.id, poor],
      ]),
      edges: [{ ...edges[0], targetId: poor.id }],
    };
    const graded = gradeGraph(graph, { now: NOW, hash: String }).get('pool:p')!;
    expect(graded.breakdown.at(-1)!.answer).toMatch(
      /^C: what weighs most is X \(fewer than half of the facts asked for are known\)\. /,
    );
  });

  test('behavior: names that repeat are shown with their chain, others without', () => {
    const on = (chain: string, name: string): RiskNode => {
      return { id: `asset:${chain}:${name}`, label: 'Asset', facts: { ...asset, name, chain } };
    };
    const chain: RiskNode = {
      id: 'chain:base',
      label: 'Chain',
      facts: { name: 'Base', slug: 'base' },
    };
    const [first, second, third] = [on('base', 'USD'), on('ink', 'USD'), on('ink', 'EUR')];
    const owner: RiskNode = { id: 'pool:p', label: 'Pool', facts: pool };
    const all = [owner, chain, first, second, third] as RiskNode[];
    const graph = {
      nodes: new Map(all.map((node) => [node.id, node])),
      edges: [first, second, third].map((node) => ({ ...edges[1], targetId: node!.id })),
    };
    const { breakdown } = gradeGraph(graph, { now: NOW, hash: String }).get('pool:p')!;
    const taken = breakdown.filter(({ question }) => question === 'What does it take in?');
    expect(taken.map(({ answer }) => answer.split(',')[0])).toEqual([
      'USD on Base',
      'EUR',
      'USD on ink',
    ]);
  });

  test('behavior: a rugged protocol is not reported as one without an incident', () => {
    const answerOf = (facts: Partial<ProtocolFacts>) =>
      protocolHazard({ ...protocol, ...facts }, NOW).rows.find(
        ({ question }) => question === 'Has it lost money before?',
      )!.answer;
    expect(answerOf({})).toBe('No incident is on record.');
    expect(answerOf({ rugged: true })).toBe('Its team took the money.');
    expect(answerOf({ rugged: true, incidents: [{ at: NOW - 2 * YEAR }] })).toBe(
      'Its team took the money. 2 years ago a loss of unknown size. This counts against it.',
    );
  });

  test('behavior: no answer contains a term of the method', () => {
    const text = result.breakdown.map(({ answer }) => answer).join(' ');
    expect(text).not.toMatch(/hazard|probab|score|weight\b|multipl/i);
  });
});
