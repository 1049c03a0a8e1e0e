import type { RiskNode } from '@assay/client';
import { expect, test } from 'vitest';
import { comparedFacts, comparedReasons } from './comparison.ts';

function node(reasons: readonly (readonly [string, string])[], properties = {}): RiskNode {
  const riskBreakdown = reasons.map(([question, answer]) => ({ question, answer }));
  return { riskBreakdown, properties } as unknown as RiskNode;
}

test('comparedReasons: each question once, in the order of the first node', () => {
  const a = node([
    ['Age?', '2 years'],
    ['Audit?', 'one'],
    ['Audit?', 'two'],
  ]);
  const b = node([
    ['Oracle?', 'none'],
    ['Age?', '1 year'],
  ]);
  expect(comparedReasons([a, b])).toEqual([
    { name: 'Age?', values: ['2 years', '1 year'] },
    { name: 'Audit?', values: ['one two', null] },
    { name: 'Oracle?', values: [null, 'none'] },
  ]);
});

test('comparedFacts: an unknown fact is null, not empty', () => {
  expect(comparedFacts([node([], { tvl: 5, name: 'A' }), node([], { name: 'B' })])).toEqual([
    { name: 'tvl', values: ['5', null] },
    { name: 'name', values: ['A', 'B'] },
  ]);
});
