import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssetFacts, PoolFacts, ProtocolFacts, RiskNode } from '../graph.ts';
import { assetHazard } from './asset.ts';
import { chainHazard } from './chain.ts';
import { gradeGraph } from './gradeGraph.ts';
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
  const grade = (more: Partial<ProtocolFacts>) =>
    gradeOf(protocolHazard({ ...protocol, ...more }, NOW).hazard);

  test('default', () => {
    const own = protocolHazard(protocol, NOW);
    expect(gradeOf(own.hazard)).toBe('A');
    expect(own.known).toBe(own.asked);
    expect(own.rows).toMatchInlineSnapshot(`
      [
        {
          "answer": "Lending: judged as lending.",
          "question": "What kind of protocol is it?",
        },
        {
          "answer": "TVL 2 billion USD.",
          "question": "How much is entrusted to it?",
        },
        {
          "answer": "Its token is worth 300 million USD in all.",
          "question": "Does it have a token of its own, and is it worth something?",
        },
        {
          "answer": "3 audit reports can be read.",
          "question": "Was it audited?",
        },
        {
          "answer": "Publicly listed for 6 years.",
          "question": "How long has it been around?",
        },
        {
          "answer": "Not that is known.",
          "question": "Is it a copy of another protocol?",
        },
        {
          "answer": "It runs on 2 chains, one of these among them.",
          "question": "Has it proved itself on Ethereum or Bitcoin?",
        },
        {
          "answer": "Chainlink: a major price network.",
          "question": "Where do its prices come from?",
        },
        {
          "answer": "Changes wait 72 hours in a timelock.",
          "question": "Who can change its contracts, and how fast?",
        },
        {
          "answer": "No incident is on record.",
          "question": "Has it lost money before?",
        },
      ]
    `);
  });

  test('behavior: floors', () => {
    expect(grade({ rugged: true })).toBe('F');
    expect(grade({ incidents: [{ at: NOW - 29 * 86_400 }] })).toBe('F');
    expect(grade({ incidents: [{ at: NOW - 31 * 86_400 }] })).not.toBe('F');
    expect(grade({ dead: true })).toBe('D');
    expect(grade({ deprecated: true })).toBe('D');
  });

  test('behavior: few facts known is C or worse, and each unknown says so', () => {
    const own = protocolHazard({ name: 'X', slug: 'x', category: 'Dexes', tvlUsd: 1e10 }, NOW);
    expect(gradeOf(own.hazard)).toBe('A');
    expect(gradeOf(own.atLeast)).toBe('C');
    const unknown = own.rows.filter(({ answer }) =>
      answer.endsWith('not known; this counts against it.'),
    );
    expect(unknown).toHaveLength(own.asked - own.known);
  });

  test('behavior: more TVL is never riskier, without steps', () => {
    const hazard = (tvlUsd: number) => protocolHazard({ ...protocol, tvlUsd }, NOW).hazard;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 11, noNaN: true }), (log) => {
        expect(hazard(10 ** (log + 0.01))).toBeLessThanOrEqual(hazard(10 ** log));
        expect(hazard(10 ** (log + 0.01))).toBeGreaterThan(0.97 * hazard(10 ** log));
      }),
    );
  });

  test('behavior: an incident repaid counts for half, and the heaviest alone counts', () => {
    const times = (...incidents: NonNullable<ProtocolFacts['incidents']>) =>
      protocolHazard({ ...protocol, incidents }, NOW).hazard / protocolHazard(protocol, NOW).hazard;
    const [recent, old] = [{ at: NOW - YEAR / 2 }, { at: NOW - 4 * YEAR }];
    expect(times(recent)).toBeCloseTo(4);
    expect(times({ ...recent, repaid: true })).toBeCloseTo(2.5);
    expect(times(old, recent)).toBeCloseTo(4);
    expect(times(recent, old)).toBeCloseTo(4);
  });
});

describe('assetHazard', () => {
  const grade = (more: Partial<AssetFacts>) => gradeOf(assetHazard({ ...asset, ...more }).hazard);

  test('default', () => {
    expect(grade({})).toBe('A');
    expect(grade({ attested: false, marketCapUsd: 2e7 })).toBe('B');
    expect(grade({ kind: 'algorithmic', marketCapUsd: 2e7 })).toBe('E');
  });

  test('behavior: floors', () => {
    expect(grade({ pegDeviation: 0.03 })).toBe('A');
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
  const grade = (more: object) => gradeOf(chainHazard({ name: 'X', slug: 'x', ...more }).hazard);

  test('default', () => {
    expect(grade({ slug: 'ethereum' })).toBe('A');
    expect(grade({ kind: 'rollup', stage: 1 })).toBe('A');
    expect(grade({ kind: 'rollup' })).toBe('B');
    expect(grade({ kind: 'other', tvlUsd: 1e6 })).toBe('C');
    expect(grade({ dead: true, slug: 'ethereum' })).toBe('D');
    expect(gradeOf(chainHazard({ name: 'X', slug: 'x' }).atLeast)).toBe('C');
  });
});

describe('poolHazard', () => {
  const hazard = (more: Partial<PoolFacts>) => poolHazard({ ...pool, ...more }).hazard;

  test('default', () => {
    expect(hazard({})).toBeCloseTo(0.07);
    expect(hazard({ assets: 'uncorrelated', concentrated: true })).toBeCloseTo(1.575);
    expect(hazard({ apy: 0.5 })).toBeCloseTo(0.07);
    expect(hazard({ apy: 0.51 })).toBeCloseTo(0.14);
    expect(hazard({ outlier: true })).toBeCloseTo(0.21);
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
          "answer": "4 % a year.",
          "question": "Is its yield plausible?",
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
          "answer": "Example, graded A.",
          "question": "Whose contracts does it run on?",
        },
        {
          "answer": "F: what weighs most is USD. It is graded F as long as it depends on USD, where it is far off its peg. Every fact that is asked for is known.",
          "question": "Why this grade?",
        },
      ]
    `);
  });

  test('behavior: no word of the method in any answer', () => {
    const text = result.breakdown.map(({ answer }) => answer).join(' ');
    expect(text).not.toMatch(/hazard|probab|score|weight\b|multipl/i);
  });
});
