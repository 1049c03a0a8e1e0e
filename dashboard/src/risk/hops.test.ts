import type { RiskDependencies, RiskNeighbor } from '@assay/client';
import { describe, expect, test } from 'vitest';
import { type Hop, hopsOf, mergedGraph } from './hops.ts';

const at = '2026-11-01T00:00:00.000Z';

/** What a node depends on. */
function bought(nodeId: string, ...targets: string[]): RiskDependencies {
  return {
    nodeId,
    _riskTier: 'B',
    edges: targets.map((targetId) => ({
      ...{ type: 'ALLOCATES' as const, sourceId: nodeId, targetId, properties: {} },
      lastUpdatedAt: at,
    })),
    neighbors: targets.map((id): RiskNeighbor => {
      const label = id.startsWith('pool:') ? 'Pool' : 'Asset';
      return { id, labels: [label], properties: {}, _riskTier: 'C', lastUpdatedAt: at };
    }),
  };
}

/** Marks a dependency that can be bought with $. */
function textOf(hops: readonly Hop[]): string {
  return hops
    .map(({ edge, isSold, hops }) => {
      const below = hops.length === 0 ? '' : `(${textOf(hops)})`;
      return `${edge.targetId}${isSold ? '$' : ''}${below}`;
    })
    .join(' ');
}

describe('hopsOf', () => {
  test('default: only pools can be bought', () => {
    expect(textOf(hopsOf(bought('pool:a', 'pool:b', 'asset:x'), []))).toBe('pool:b$ asset:x');
  });

  test('default: the dependencies of a bought pool are below it', () => {
    const answers = [bought('pool:b', 'pool:c', 'asset:x'), bought('pool:c', 'asset:y')];
    expect(textOf(hopsOf(bought('pool:a', 'pool:b'), answers))).toBe(
      'pool:b$(pool:c$(asset:y) asset:x)',
    );
  });

  test('behavior: a pool is offered only once, at its shallowest position', () => {
    const answers = [bought('pool:b', 'pool:c')];
    expect(textOf(hopsOf(bought('pool:a', 'pool:b', 'pool:c'), answers))).toBe(
      'pool:b$(pool:c) pool:c$',
    );
  });

  test('behavior: a cycle ends', () => {
    const root = bought('pool:a', 'pool:b');
    expect(textOf(hopsOf(root, [bought('pool:b', 'pool:a'), root]))).toBe('pool:b$(pool:a)');
  });
});

describe('mergedGraph', () => {
  test('default: each node and each edge once, and only what is reached', () => {
    const answers = [bought('pool:b', 'asset:x', 'pool:a'), bought('pool:z', 'asset:q')];
    const { nodes, edges } = mergedGraph(bought('pool:a', 'pool:b', 'asset:x'), answers);
    expect(nodes.map(({ id }) => id)).toEqual(['pool:b', 'asset:x']);
    expect(edges.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`)).toEqual([
      ...['pool:a pool:b', 'pool:a asset:x', 'pool:b asset:x', 'pool:b pool:a'],
    ]);
  });
});
