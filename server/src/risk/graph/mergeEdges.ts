import { EDGE_ENDS, type EdgeType, type Label, type RiskEdge } from '../../domain/risk/graph.ts';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import type { MergedEdge, RiskSource, SourcedRecord } from '../../domain/risk/record.ts';
import type { MergeProblem } from './merge.ts';

/** Curated sources list the chains of a protocol, but not how much of it is on each. */
const WITHOUT_SHARES: ReadonlySet<RiskSource> = new Set(['curated', 'catalogue']);

/**
 * Merges a node's edges from all sources, heaviest first. A source that names an issuer or a backing names all of them,
 * so for each type the highest source with any edge decides.
 */
export function mergeEdges(
  ranked: readonly SourcedRecord[],
  problems: MergeProblem[],
): MergedEdge[] {
  const byType = new Map<EdgeType, MergedEdge[][]>();
  for (const record of ranked) {
    for (const [type, edges] of soundEdges(record, problems)) {
      const said = byType.get(type);
      if (said === undefined) byType.set(type, [edges]);
      else said.push(edges);
    }
  }
  return [...byType].flatMap(([type, said]) => {
    const [first, ...others] = said as [MergedEdge[], ...MergedEdge[][]];
    const isShared = type === 'LIVES_ON' && ranked[0]?.node.label === 'Protocol';
    return isShared ? sharedOut(first, others) : first;
  });
}

/** Returns the edges of one source by type, each target once. */
function soundEdges(
  { node, edges, source, updatedAt }: SourcedRecord,
  problems: MergeProblem[],
): Map<EdgeType, MergedEdge[]> {
  const found = new Map<EdgeType, MergedEdge[]>();
  for (const edge of edges) {
    const { type, targetId } = edge;
    const kind = faultOf(edge, node.label);
    if (kind !== undefined) {
      problems.push({ kind, id: node.id, source, targetId });
      continue;
    }
    const same = found.get(type) ?? [];
    found.set(type, same);
    if (same.some((each) => each.edge.targetId === targetId)) continue;
    same.push({ edge, source, lastUpdatedAt: updatedAt });
  }
  return found;
}

/**
 * Returns a protocol's chains from the first source, with the shares of the first list that has shares. A chain that
 * the list lacks keeps an equal part, because it may hold as much; the list's shares are scaled to the remainder, so
 * that the sum of weights stays the same.
 */
function sharedOut(chains: readonly MergedEdge[], others: readonly MergedEdge[][]): MergedEdge[] {
  if (!WITHOUT_SHARES.has(chains[0]!.source)) return [...chains];
  const list = others.find((edges) => !WITHOUT_SHARES.has(edges[0]!.source)) ?? [];
  const shares = new Map(list.map((each) => [each.edge.targetId, each]));
  const known = chains.flatMap(({ edge }) => shares.get(edge.targetId) ?? []);
  const total = known.reduce((sum, { edge }) => sum + edge.weight, 0);
  return chains.map((each) => {
    const share = shares.get(each.edge.targetId);
    if (share === undefined) return each;
    const weight = ((share.edge.weight / total) * known.length) / chains.length;
    const lastUpdatedAt = Math.max(each.lastUpdatedAt, share.lastUpdatedAt);
    return { ...each, edge: { ...each.edge, weight }, lastUpdatedAt };
  });
}

function faultOf(edge: RiskEdge, from: Label): MergeProblem['kind'] | undefined {
  if (edge.sourceId === edge.targetId) return 'edge-to-itself';
  const ends: readonly (readonly [Label, Label])[] = Object.hasOwn(EDGE_ENDS, edge.type)
    ? EDGE_ENDS[edge.type]
    : [];
  const to = labelOfId(edge.targetId);
  if (!ends.some((pair) => pair[0] === from && pair[1] === to)) return 'edge-of-wrong-ends';
  return edge.weight > 0 && edge.weight <= 1 ? undefined : 'edge-of-wrong-weight';
}
