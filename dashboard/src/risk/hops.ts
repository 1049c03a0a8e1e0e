import type { RiskDependencies, RiskEdge, RiskNeighbor } from '@assay/client';

/** A dependency in the list, with what it depends on itself as far as that was bought. */
export interface Hop {
  readonly edge: RiskEdge;
  readonly neighbor: RiskNeighbor | undefined;
  /** Only of a pool, and only at its first place in the list: elsewhere it would be bought twice. */
  readonly isSold: boolean;
  readonly hops: readonly Hop[];
}

/** Arranges all bought dependencies below a pool. Each pool is opened once, so a cycle ends. */
export function hopsOf(root: RiskDependencies, bought: readonly RiskDependencies[]): Hop[] {
  const seen = new Set([root.nodeId]);
  return open(root);

  function open({ edges, neighbors }: RiskDependencies): Hop[] {
    // Before anything below: a target of this list is opened here, not deeper.
    const first = edges.map(({ targetId }) => {
      const isFirst = !seen.has(targetId);
      seen.add(targetId);
      return isFirst;
    });
    return edges.map((edge, index) => {
      const neighbor = neighbors.find(({ id }) => id === edge.targetId);
      const own = first[index] ? bought.find(({ nodeId }) => nodeId === edge.targetId) : undefined;
      const isPool = neighbor?.labels.includes('Pool') ?? false;
      return {
        ...{ edge, neighbor },
        isSold: isPool && first[index]!,
        hops: own === undefined ? [] : open(own),
      };
    });
  }
}

/** All bought responses as one graph: each node and each edge once. */
export function mergedGraph(root: RiskDependencies, bought: readonly RiskDependencies[]) {
  const reached = [root, ...reachedFrom(hopsOf(root, bought), bought)];
  const nodes = new Map<string, RiskNeighbor>();
  const edges = new Map<string, RiskEdge>();
  for (const answer of reached) {
    for (const one of answer.neighbors) if (one.id !== root.nodeId) nodes.set(one.id, one);
    for (const one of answer.edges) {
      edges.set(`${one.sourceId} ${one.type} ${one.targetId}`, one);
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], answers: reached };
}

function reachedFrom(
  hops: readonly Hop[],
  bought: readonly RiskDependencies[],
): RiskDependencies[] {
  return hops.flatMap(({ edge, hops }) =>
    hops.length === 0
      ? []
      : [...bought.filter(({ nodeId }) => nodeId === edge.targetId), ...reachedFrom(hops, bought)],
  );
}
