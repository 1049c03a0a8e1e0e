import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EDGE_ENDS, type EdgeType } from '../../domain/risk/graph.ts';
import { buildSearchIndex } from '../search/searchIndex.ts';
import {
  type AdjacencyEdge,
  buildAdjacency,
  buildAdjacencyData,
  openAdjacency,
} from './adjacency.ts';

const TYPES = Object.keys(EDGE_ENDS) as EdgeType[];

describe('adjacency', () => {
  test('default', () => {
    const adjacency = buildAdjacency(
      ['pool:x:1', 'asset:x:2', 'chain:x'],
      [edge('OPERATED_BY', 'pool:x:1', 'asset:x:2', 7), edge('LIVES_ON', 'pool:x:1', 'chain:x')],
    );
    const pool = adjacency.find('POOL:x:1')!;
    expect(
      adjacency.dependenciesOf(pool).map(({ target, ...own }) => ({
        ...own,
        target: adjacency.idAt(target),
      })),
    ).toEqual([
      { type: 'LIVES_ON', target: 'chain:x', lastUpdatedAt: 1 },
      { type: 'OPERATED_BY', target: 'asset:x:2', lastUpdatedAt: 7 },
    ]);
    expect(adjacency.dependenciesOf(adjacency.find('chain:x')!)).toEqual([]);
    expect(adjacency.find('pool:x:9')).toBeUndefined();
  });

  test('behavior: on the ids of a search index, and handed over between threads', () => {
    const index = buildSearchIndex(
      ['a:b:c', 'd:e:f'].map((id) => ({
        id,
        label: 'Pool',
        name: id,
        network: 'x',
        value: null,
        grade: 'C',
      })),
    );
    const data = buildAdjacencyData(index.ids, [edge('ALLOCATES', 'a:b:c', 'd:e:f')]);
    const adjacency = openAdjacency(structuredClone(data));
    const [dependency] = adjacency.dependenciesOf(adjacency.find('a:b:c')!);
    expect(index.hitAt(dependency!.target).id).toBe('d:e:f');
  });

  test('every edge between known nodes, in any order; none to unknown nodes', () => {
    const ids = Array.from({ length: 8 }, (_, i) => `asset:x:é${i}`);
    const anyEdge = fc
      .tuple(
        fc.constantFrom(...TYPES),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
      )
      .map(([type, from, to]) => edge(type, `asset:x:é${from}`, `asset:x:é${to}`, to));
    fc.assert(
      fc.property(fc.array(anyEdge, { maxLength: 60 }), (edges) => {
        const adjacency = buildAdjacency(ids, edges);
        const read = ids.flatMap((id) =>
          adjacency.dependenciesOf(adjacency.find(id)!).map(({ target, ...own }) => ({
            ...own,
            sourceId: id,
            targetId: adjacency.idAt(target),
          })),
        );
        const known = edges.filter(
          ({ sourceId, targetId }) => ids.includes(sourceId) && ids.includes(targetId),
        );
        expect(read.map(spell).sort()).toEqual(known.map(spell).sort());
        expect(adjacency.edges).toBe(known.length);
        const again = buildAdjacency(ids, edges.toReversed());
        for (const id of ids)
          expect(again.dependenciesOf(again.find(id)!)).toEqual(
            adjacency.dependenciesOf(adjacency.find(id)!),
          );
      }),
    );
  });
});

function edge(
  type: EdgeType,
  sourceId: string,
  targetId: string,
  lastUpdatedAt = 1,
): AdjacencyEdge {
  return { type, sourceId, targetId, lastUpdatedAt };
}

function spell({ type, sourceId, targetId, lastUpdatedAt }: AdjacencyEdge): string {
  return [type, sourceId, targetId, lastUpdatedAt].join(' ');
}
