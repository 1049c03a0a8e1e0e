import { describe, expect, test } from 'vitest';
import type { Incident, RiskEdge } from '../../domain/risk/graph.ts';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import type { SourcedRecord } from '../../domain/risk/record.ts';
import { mergeRecords } from './merge.ts';

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

  test('behavior: no source has a value', () => {
    expect(mergeRecords([])).toBeUndefined();
  });

  test('behavior: a node without a name is called by its id', () => {
    expect(mergeRecords([pool('curated', 1, {})])!.node).toMatchObject({
      node: { facts: { name: 'pool:base:1' } },
      sources: { name: 'curated' },
    });
  });

  test('behavior: another label, and invalid edges', () => {
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

describe('mergeRecords: incidents', () => {
  const DAY = 86_400;
  const record = (source: SourcedRecord['source'], incidents: readonly Incident[]) =>
    said(source, 'protocol:curve-dex', { name: 'Curve', slug: 'curve-dex', incidents });
  const incidentsOf = (...records: SourcedRecord[]) =>
    (mergeRecords(records)!.node.node.facts as { incidents?: readonly Incident[] }).incidents;

  test('default', () => {
    const old = { at: 100 * DAY, lossUsd: 5, repaid: true, what: 'a lock that did not hold' };
    const again = { at: 101 * DAY + 3600, lossUsd: 7 };
    const fresh = { at: 900 * DAY, lossUsd: 1 };
    const merged = [record('catalogue', [old]), record('defillama-hacks', [fresh, again])];
    expect(incidentsOf(...merged)).toEqual([old, fresh]);
    expect(mergeRecords(merged)!.node.sources.incidents).toBe('catalogue');
  });

  test('behavior: two days apart are two incidents, and so are two of one source', () => {
    const first = { at: 100 * DAY };
    const later = { at: 102 * DAY };
    const sameDay = [{ at: 200 * DAY }, { at: 200 * DAY + 60 }];
    expect(incidentsOf(record('curated', [first]), record('defillama-hacks', [later]))).toEqual([
      first,
      later,
    ]);
    expect(incidentsOf(record('defillama-hacks', sameDay))).toEqual(sameDay);
  });

  test('behavior: a lower source counts if it is the only one', () => {
    const none = said('catalogue', 'protocol:curve-dex', { name: 'Curve', slug: 'curve-dex' });
    expect(incidentsOf(none)).toBeUndefined();
    expect(incidentsOf(none, record('defillama-hacks', [{ at: 1 }]))).toEqual([{ at: 1 }]);
  });
});

describe('mergeRecords: edges', () => {
  const weights = (records: readonly SourcedRecord[]) =>
    Object.fromEntries(
      mergeRecords(records)!.edges.map(({ edge }) => [edge.targetId, edge.weight]),
    );

  test('behavior: the highest source with an edge of a type decides on that type', () => {
    const id = 'asset:base:0x1';
    const merged = mergeRecords([
      said('defillama-stablecoins', id, {}, [
        ['ISSUED_BY', 'protocol:bridge', 1],
        ['LIVES_ON', 'chain:base', 1],
      ]),
      said('catalogue', id, {}, [['ISSUED_BY', 'protocol:circle-usdc', 1]]),
    ])!;
    expect(merged.edges.map(({ edge, source }) => [edge.targetId, source])).toEqual([
      ['protocol:circle-usdc', 'catalogue'],
      ['chain:base', 'defillama-stablecoins'],
    ]);
  });

  test('behavior: an invalid edge decides nothing', () => {
    const id = 'asset:base:0x1';
    const wrong = said('curated', id, {}, [['ISSUED_BY', 'chain:base', 1]]);
    const right = said('catalogue', id, {}, [['ISSUED_BY', 'protocol:circle-usdc', 1]]);
    expect(weights([wrong, right])).toEqual({ 'protocol:circle-usdc': 1 });
  });

  test('behavior: a curated list decides which chains count, an import the part of each', () => {
    const imported = said('defillama-protocols', 'protocol:lido', {}, [
      ['LIVES_ON', 'chain:ethereum', 0.6],
      ['LIVES_ON', 'chain:base', 0.2],
      ['LIVES_ON', 'chain:solana', 0.2],
    ]);
    const on = (...chains: string[]) =>
      said(
        'catalogue',
        'protocol:lido',
        {},
        chains.map((chain) => ['LIVES_ON', `chain:${chain}`, 1 / chains.length]),
      );
    expect(weights([on('ethereum'), imported])).toEqual({ 'chain:ethereum': 1 });
    expect(weights([on('ethereum', 'base'), imported])).toEqual({
      'chain:ethereum': expect.closeTo(0.75),
      'chain:base': expect.closeTo(0.25),
    });
    // The amount on Gnosis is unknown.
    expect(weights([on('ethereum', 'gnosis'), imported])).toEqual({
      'chain:ethereum': 0.5,
      'chain:gnosis': 0.5,
    });
    expect(weights([on('gnosis', 'ink'), imported])).toEqual({
      'chain:gnosis': 0.5,
      'chain:ink': 0.5,
    });
  });

  test('behavior: a pool on several chains depends fully on each of them', () => {
    const id = 'pool:base:0x1';
    const families = said('families', id, {}, [
      ['LIVES_ON', 'chain:base', 1],
      ['LIVES_ON', 'chain:arbitrum', 1],
    ]);
    const imported = said('defillama-pools', id, {}, [['LIVES_ON', 'chain:base', 1]]);
    expect(weights([imported, families])).toEqual({ 'chain:base': 1, 'chain:arbitrum': 1 });
  });
});

function said(
  source: SourcedRecord['source'],
  id: string,
  facts: Record<string, unknown>,
  edges: readonly [RiskEdge['type'], string, number][] = [],
): SourcedRecord {
  const node = { id, label: labelOfId(id), facts } as unknown as SourcedRecord['node'];
  const made = edges.map(([type, targetId, weight]) => ({ type, sourceId: id, targetId, weight }));
  return { source, updatedAt: 1, node, edges: made };
}

describe('labelOfId', () => {
  test('default', () => {
    expect(labelOfId('protocol:aave')).toBe('Protocol');
    expect(labelOfId('constructor:x')).toBeUndefined();
    expect(labelOfId('pool')).toBeUndefined();
  });
});
