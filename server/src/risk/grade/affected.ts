import type { RiskEdge } from '../../domain/risk/graph.ts';

/** The changed nodes and everything that depends on one of them, near or far: what has to be graded again. */
export function affectedBy(edges: readonly RiskEdge[], changedIds: Iterable<string>): Set<string> {
  const dependants = new Map<string, string[]>();
  for (const { sourceId, targetId } of edges) {
    const known = dependants.get(targetId);
    if (known) known.push(sourceId);
    else dependants.set(targetId, [sourceId]);
  }
  const affected = new Set(changedIds);
  // A set is walked in the order of insertion, what is added meanwhile included.
  for (const id of affected) for (const source of dependants.get(id) ?? []) affected.add(source);
  return affected;
}
