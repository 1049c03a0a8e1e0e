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

/** How the request names the pool, for error messages. */
interface Asked {
  readonly parameter: 'nodeId' | 'nodeIds';
  /** If the request names several. */
  readonly name?: string;
}

/** Retries of reading edges and nodes while the graph changes its version. */
const MAX_ATTEMPTS = 5;

/**
 * Nodes and grades are read from the store; edges from memory, or from the store while memory lags behind. Only a
 * consistent version of both is sold.
 */
export async function sellDependencies(
  graph: DependencyGraph,
  id: string,
  asked: Asked = { parameter: 'nodeId' },
) {
  const first = await read(graph, { id, ...asked }, edgesInMemory(graph, id), false);
  if (first !== undefined) return first;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const sold = await read(graph, { id, ...asked }, await graph.getEdgesOf(id), true);
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

/** Returns undefined if edges and nodes are of different versions. */
async function read(
  graph: DependencyGraph,
  { id, ...asked }: Asked & { readonly id: string },
  from: EdgesOfPool,
  newest: boolean,
) {
  const targets = new Set(from.edges.map(({ targetId }) => targetId));
  const found = await graph.getNodes([...new Set([id, ...targets])], newest);
  const pool = found.nodes.find(({ node }) => node.id === id);
  // A replica may not have it yet.
  if (pool === undefined && !newest && graph.current.adjacency.find(id) !== undefined)
    return undefined;
  const { graded } = existingPool(pool, asked);
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

function existingPool(node: GradedNode | undefined, { parameter, name }: Asked): GradedNode {
  const pool = existing(node, name);
  if (pool.node.label === 'Pool') return pool;
  const which =
    name === undefined ? 'must be a pool' : `must name only pools, and ${name} is not one`;
  const reason = `${which}; other nodes have no dependencies`;
  throw new BadParameters([{ parameter, reason }]);
}

function presentNeighbor(neighbor: GradedNode) {
  return {
    ...presentNode(neighbor),
    _riskTier: neighbor.graded.grade,
    lastUpdatedAt: toIso(neighbor.lastUpdatedAt),
  };
}
