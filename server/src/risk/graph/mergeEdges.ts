import { EDGE_ENDS, type EdgeType, type Label, type RiskEdge } from '../../domain/risk/graph.ts';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import type { MergedEdge, RiskSource, SourcedRecord } from '../../domain/risk/record.ts';
import type { MergeProblem } from './merge.ts';

/** Written by hand: they say which chains a protocol runs on, and never how much of it is on each. */
const WITHOUT_SHARES: ReadonlySet<RiskSource> = new Set(['curated', 'catalogue']);

/**
 * A node's edges from what all sources say of it, the weightiest first. Who names an issuer or a backing names all of
 * it, so for each type the highest source that has any decides, and what others say of that type is left out.
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

/** The edges of one source by type, each target once. */
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
 * A protocol's chains as the first source names them, with the shares of the first list that knows shares. A chain
 * that the list does not name keeps an equal part, as nobody knows that it holds less; the list's shares are scaled to
 * what is left. So the weights add up to what they did.
 */
function sharedOut(chains: readonly MergedEdge[], others: readonly MergedEdge[][]): MergedEdge[] {
  if (!WITHOUT_SHARES.has(chains[0]!.source)) return [...chains];
  const list = others.find((edges) => !WITHOUT_SHARES.has(edges[0]!.source)) ?? [];
  const shares = new Map(list.map((each) => [each.edge.targetId, each]));
  const told = chains.flatMap(({ edge }) => shares.get(edge.targetId) ?? []);
  const total = told.reduce((sum, { edge }) => sum + edge.weight, 0);
  return chains.map((each) => {
    const share = shares.get(each.edge.targetId);
    if (share === undefined) return each;
    const weight = ((share.edge.weight / total) * told.length) / chains.length;
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
