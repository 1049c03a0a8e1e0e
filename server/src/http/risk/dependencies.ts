import { toIso } from '../../domain/time.ts';
import type { GradedNode } from '../../store/risk/read.ts';
import { BadParameters, NotReady } from '../problem.ts';
import type { LiveGraph } from './liveGraph.ts';
import { existing, presentNode } from './presentNode.ts';

export type DependencyGraph = Pick<LiveGraph, 'current' | 'getNodes' | 'getEdgesOf'>;

interface EdgeOfPool {
  readonly type: string;
  readonly targetId: string;
  readonly lastUpdatedAt: number;
}

interface EdgesOfPool {
  readonly version: number;
  /** By type and target. */
  readonly edges: readonly EdgeOfPool[];
}

/** Of reading edges and nodes while the graph goes from version to version. */
const MOST_ATTEMPTS = 5;

/**
 * Nodes and grades come from the store, edges from memory, or from the store while memory follows it. Sold is only what
 * both say of one version.
 */
export async function sellDependencies(graph: DependencyGraph, nodeId: string) {
  const id = nodeId.toLowerCase();
  const first = await read(graph, id, edgesInMemory(graph, id), false);
  if (first !== undefined) return first;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const sold = await read(graph, id, await graph.getEdgesOf(id), true);
    if (sold !== undefined) return sold;
  }
  throw new NotReady('the risk graph is being updated; nothing was charged, try again');
}

function edgesInMemory({ current }: DependencyGraph, id: string): EdgesOfPool {
  const { adjacency, version } = current;
  const at = adjacency.find(id);
  const edges = at === undefined ? [] : adjacency.dependenciesOf(at);
  const named = edges.map((edge) => ({ ...edge, targetId: adjacency.idAt(edge.target) }));
  return { version, edges: named.sort(byTypeAndTarget) };
}

function byTypeAndTarget(a: EdgeOfPool, b: EdgeOfPool): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.targetId < b.targetId ? -1 : 1;
}

/** Undefined when edges and nodes are of two versions. */
async function read(graph: DependencyGraph, id: string, from: EdgesOfPool, newest: boolean) {
  const targets = new Set(from.edges.map(({ targetId }) => targetId));
  const found = await graph.getNodes([...new Set([id, ...targets])], newest);
  const pool = found.nodes.find(({ node }) => node.id === id);
  // A replica may not have it yet.
  if (pool === undefined && !newest && graph.current.adjacency.find(id) !== undefined)
    return undefined;
  const { graded } = existingPool(pool);
  if (found.version !== from.version) return undefined;
  const neighbors = found.nodes.filter(({ node }) => targets.has(node.id));
  const known = new Set(neighbors.map(({ node }) => node.id));
  return {
    nodeId: id,
    _riskTier: graded.grade,
    edges: from.edges
      .map(({ type, targetId, lastUpdatedAt }) => ({
        type,
        sourceId: id,
        targetId,
        properties: {},
        lastUpdatedAt: toIso(lastUpdatedAt),
      }))
      .filter(({ targetId }) => known.has(targetId)),
    neighbors: neighbors.map(presentNeighbor),
  };
}

function existingPool(node: GradedNode | undefined): GradedNode {
  const pool = existing(node);
  if (pool.node.label === 'Pool') return pool;
  throw new BadParameters([
    { parameter: 'nodeId', reason: 'must be a pool; other nodes have no dependencies to sell' },
  ]);
}

function presentNeighbor(neighbor: GradedNode) {
  return {
    ...presentNode(neighbor),
    _riskTier: neighbor.graded.grade,
    lastUpdatedAt: toIso(neighbor.lastUpdatedAt),
  };
}
