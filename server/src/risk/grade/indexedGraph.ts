import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { byText } from './sortOrder.ts';

/** What gradeGraph reads: an edge to a node that is not there is passed over. */
export interface RiskGraph {
  readonly nodes: ReadonlyMap<string, RiskNode>;
  readonly edges: readonly RiskEdge[];
}

/**
 * The graph by numbers. A node's number is its place among the sorted ids, so that nothing computed from it depends
 * on the order in which nodes or edges came.
 */
export interface IndexedGraph {
  readonly nodes: readonly RiskNode[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** Edges of node n are those from offsets[n] up to offsets[n + 1]. */
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  readonly edges: readonly RiskEdge[];
}

export function indexGraph({ nodes, edges }: RiskGraph): IndexedGraph {
  const sorted = [...nodes.values()].sort((a, b) => byText(a.id, b.id));
  const numberOf = new Map<string, number>();
  for (const { id } of sorted) numberOf.set(id, numberOf.size);
  const ends = new Int32Array(2 * edges.length);
  const offsets = new Uint32Array(sorted.length + 1);
  edges.forEach(({ sourceId, targetId, weight }, place) => {
    const source = numberOf.get(sourceId) ?? -1;
    const target = numberOf.get(targetId) ?? -1;
    const isKept = weight > 0 && source !== target && source >= 0 && target >= 0;
    ends[2 * place] = isKept ? source : -1;
    ends[2 * place + 1] = target;
    if (isKept) offsets[source + 1]! += 1;
  });
  for (let number = 0; number < sorted.length; number += 1)
    offsets[number + 1]! += offsets[number]!;
  return { nodes: sorted, numberOf, offsets, ...placeEdges(edges, ends, offsets) };
}

/** Each edge into its source's stretch. */
function placeEdges(
  edges: readonly RiskEdge[],
  ends: Int32Array,
  offsets: Uint32Array,
): Pick<IndexedGraph, 'targets' | 'weights' | 'edges'> {
  const count = offsets.at(-1)!;
  const targets = new Uint32Array(count);
  const weights = new Float64Array(count);
  const placed = new Array<RiskEdge>(count);
  const next = offsets.slice();
  edges.forEach((edge, place) => {
    const source = ends[2 * place]!;
    if (source < 0) return;
    const at = next[source]!;
    next[source] = at + 1;
    placed[at] = edge;
    targets[at] = ends[2 * place + 1]!;
    weights[at] = Math.min(1, edge.weight);
  });
  return { targets, weights, edges: placed };
}
