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

  test('behavior: a floor that decides is what weighs most, one that does not is not', () => {
    const small = { ...protocol, tvlUsd: 5e5 };
    expect(why(small)).toMatch(/^[AB]: what weighs most is what it is itself \(how little is /);
    expect(why({ ...small, rugged: true })).toMatch(
      /^F: what weighs most is that its makers took the money\. /,
    );
    expect(why({ ...small, deprecated: true, incidents: [{ at: NOW - 60 }] })).toMatch(
      /^F: what weighs most is that it was hacked less than 30 days ago\. /,
    );
    const hopeless = { name: 'X', slug: 'x', category: 'Algo-Stables', tvlUsd: 1, dead: true };
    expect(why({ ...hopeless, audits: { status: 'unaudited' }, symbol: 'X' })).toMatch(
      /^[EF]: what weighs most is what it is itself \(how little is .*D or worse while it is dead/,
    );
    expect(why({ name: 'X', slug: 'x', category: 'Dexes', tvlUsd: 1e10 })).toMatch(
      /^C: what weighs most is that fewer than half of the facts asked for are known\. /,
    );
  });

  test('behavior: so little known of a dependency that this decides is named with it', () => {
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

  test('behavior: names that repeat are told with their chain, others without', () => {
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

  test('behavior: a rugged protocol is not said to be without an incident', () => {
    const told = (facts: Partial<ProtocolFacts>) =>
      protocolHazard({ ...protocol, ...facts }, NOW).rows.find(
        ({ question }) => question === 'Has it lost money before?',
      )!.answer;
    expect(told({})).toBe('No incident is on record.');
    expect(told({ rugged: true })).toBe('Its makers took the money.');
    expect(told({ rugged: true, incidents: [{ at: NOW - 2 * YEAR }] })).toBe(
      'Its makers took the money. 2 years ago a loss of unknown size.',
    );
  });

  test('behavior: no word of the method in any answer', () => {
    const text = result.breakdown.map(({ answer }) => answer).join(' ');
    expect(text).not.toMatch(/hazard|probab|score|weight\b|multipl/i);
  });
});
