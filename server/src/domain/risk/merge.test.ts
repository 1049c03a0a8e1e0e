import { describe, expect, test } from 'vitest';
import { labelOfId, mergeRecords, type SourcedRecord } from './merge.ts';

function pool(
  source: SourcedRecord['source'],
  updatedAt: number,
  facts: Record<string, unknown>,
  edges: SourcedRecord['edges'] = [],
): SourcedRecord {
  const node = { id: 'pool:base:1', label: 'Pool', facts } as unknown as SourcedRecord['node'];
  return { source, updatedAt, node, edges };
}

const edge = (weight: number) =>
  ({
    type: 'IS_COLLATERALIZED_BY',
    sourceId: 'pool:base:1',
    targetId: 'asset:base:0x1',
    weight,
  }) as const;

describe('mergeRecords', () => {
  test('default', () => {
    const records = [
      pool('defillama-pools', 30, { name: 'a', tvlUsd: 1, apy: 0.1 }, [edge(0.2)]),
      pool('curated', 10, { name: 'b', apy: null }, [edge(0.4)]),
      pool('families', 20, { name: 'c', tvlUsd: 2 }),
    ];
    const merged = mergeRecords(records)!;
    expect(merged.node).toEqual({
      node: { id: 'pool:base:1', label: 'Pool', facts: { name: 'b', tvlUsd: 2, apy: 0.1 } },
      sources: { name: 'curated', tvlUsd: 'families', apy: 'defillama-pools' },
      lastUpdatedAt: 30,
    });
    expect(merged.edges).toEqual([{ edge: edge(0.4), source: 'curated', lastUpdatedAt: 10 }]);
    expect(mergeRecords([...records].reverse())).toEqual(merged);
  });

  test('behavior: nobody says anything', () => {
    expect(mergeRecords([])).toBeUndefined();
  });

  test('behavior: a node without a name is called by its id', () => {
    expect(mergeRecords([pool('curated', 1, {})])!.node).toMatchObject({
      node: { facts: { name: 'pool:base:1' } },
      sources: { name: 'curated' },
    });
  });

  test('behavior: another label, and edges that cannot be', () => {
    const other = pool('defillama-pools', 5, { name: 'x' });
    const merged = mergeRecords([
      { ...other, node: { ...other.node, label: 'Asset' } as SourcedRecord['node'] },
      pool('curated', 1, { name: 'a' }, [
        { ...edge(0.5), targetId: 'pool:base:1' },
        { ...edge(0.5), targetId: 'chain:base' },
        edge(1.5),
        edge(Number.NaN),
        { ...edge(0.5), type: 'constructor' as never },
      ]),
    ])!;
    expect(merged.edges).toEqual([]);
    expect(merged.node.lastUpdatedAt).toBe(1);
    expect(merged.problems.map(({ kind }) => kind)).toEqual([
      'other-label',
      'edge-to-itself',
      'edge-of-wrong-ends',
      'edge-of-wrong-weight',
      'edge-of-wrong-weight',
      'edge-of-wrong-ends',
    ]);
  });
});

describe('labelOfId', () => {
  test('default', () => {
    expect(labelOfId('protocol:aave')).toBe('Protocol');
    expect(labelOfId('constructor:x')).toBeUndefined();
    expect(labelOfId('pool')).toBeUndefined();
  });
});
