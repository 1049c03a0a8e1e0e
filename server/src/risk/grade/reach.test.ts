import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { indexGraph } from './indexedGraph.ts';
import { createReach } from './reach.ts';

const SIZE = 8;
const nodes = new Map<string, RiskNode>(
  Array.from({ length: SIZE }, (_, number) => {
    const id = `chain:${number}`;
    return [id, { id, label: 'Chain', facts: { name: id, slug: `${number}` } }];
  }),
);
const edges = fc.array(
  fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1), fc.constantFrom(1, 0.5, 0.3, 0.01, 1e-4)).map(
    ([source, target, weight]): RiskEdge => ({
      type: 'SETTLES_TO',
      sourceId: `chain:${source}`,
      targetId: `chain:${target}`,
      weight,
    }),
  ),
  { maxLength: 30 },
);

/** Computes reach by passing values along every edge, as many times as there are nodes. */
function bySweeps(list: readonly RiskEdge[], from: string): Map<string, number> {
  const best = new Map([[from, 1]]);
  for (let sweep = 0; sweep < SIZE; sweep += 1)
    for (const { sourceId, targetId, weight } of list) {
      const passed = (best.get(sourceId) ?? 0) * weight;
      if (passed >= 1e-6 && passed > (best.get(targetId) ?? 0)) best.set(targetId, passed);
    }
  return best;
}

describe('reach', () => {
  test('behavior: the largest product of weights to everything that can be reached', () => {
    fc.assert(
      fc.property(
        edges,
        fc.array(fc.nat(SIZE - 1), { minLength: 1, maxLength: 4 }),
        (list, starts) => {
          const graph = indexGraph({ nodes, edges: list });
          const reach = createReach(graph);
          // Several walks share one instance, so a walk must not affect the next.
          for (const start of starts) {
            const reached = reach(start);
            const found = Array.from(reached.nodes, (number, place) => [
              graph.nodes[number]!.id,
              reached.weights[place],
            ]);
            const expected = [...bySweeps(list, `chain:${start}`)].sort(([a], [b]) =>
              a < b ? -1 : 1,
            );
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: LONG ? 5000 : 300 },
    );
  });

  test('behavior: over edges of weight 1 no length is too long', () => {
    const length = 20_000;
    const long = new Map<string, RiskNode>(
      Array.from({ length }, (_, number) => {
        const id = `chain:${number}`;
        return [id, { id, label: 'Chain', facts: { name: id, slug: `${number}` } }];
      }),
    );
    const line = Array.from(
      { length: length - 1 },
      (_, number): RiskEdge => ({
        type: 'SETTLES_TO',
        sourceId: `chain:${number}`,
        targetId: `chain:${number + 1}`,
        weight: 1,
      }),
    );
    const graph = indexGraph({ nodes: long, edges: line });
    expect(createReach(graph)(graph.numberOf.get('chain:0')!).nodes).toHaveLength(length);
  });
});
