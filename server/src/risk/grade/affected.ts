import type { RiskEdge } from '../../domain/risk/graph.ts';

/** Returns the changed nodes and all their direct and indirect dependents, which need new grades. */
export function affectedBy(edges: readonly RiskEdge[], changedIds: Iterable<string>): Set<string> {
  const dependants = new Map<string, string[]>();
  for (const { sourceId, targetId } of edges) {
    const known = dependants.get(targetId);
    if (known) known.push(sourceId);
    else dependants.set(targetId, [sourceId]);
  }
  const affected = new Set(changedIds);
  // A Set iterates in insertion order, and includes items that are added during the loop.
  for (const id of affected) for (const source of dependants.get(id) ?? []) affected.add(source);
  return affected;
}
