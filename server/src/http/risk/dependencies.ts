import { setTimeout as pause } from 'node:timers/promises';
import { toIso } from '../../domain/time.ts';
import type { GradedNode } from '../../store/risk/read.ts';
import { BadParameters, NotReady } from '../problem.ts';
import type { LiveGraph } from './liveGraph.ts';
import { existing, presentNode } from './presentNode.ts';

export type DependencyGraph = Pick<LiveGraph, 'current' | 'getNodes' | 'refresh'>;

/** What a payer may wait for the view in memory to reach an import that was just committed. */
const PATIENCE_MS = 5_000;

/** Edges come from memory, nodes and grades from the store: sold is only what both say of one version. */
export async function sellDependencies(graph: DependencyGraph, nodeId: string) {
  const first = await read(graph, nodeId, false);
  if (first !== undefined) return first;
  const controller = new AbortController();
  await Promise.race([
    graph.refresh().catch(() => undefined),
    pause(PATIENCE_MS, undefined, { signal: controller.signal }).catch(() => undefined),
  ]);
  controller.abort();
  const second = await read(graph, nodeId, true);
  if (second !== undefined) return second;
  throw new NotReady('the risk graph is being updated; nothing was charged, try again');
}

/** Undefined when memory and store are of two versions. */
async function read(graph: DependencyGraph, nodeId: string, newest: boolean) {
  const { adjacency, version } = graph.current;
  const id = nodeId.toLowerCase();
  const at = adjacency.find(id);
  const edges = at === undefined ? [] : adjacency.dependenciesOf(at);
  const targets = new Set(edges.map(({ target }) => adjacency.idAt(target)));
  const found = await graph.getNodes([...new Set([id, ...targets])], newest);
  const pool = found.nodes.find(({ node }) => node.id === id);
  // A replica may not have it yet.
  if (pool === undefined && at !== undefined && !newest) return undefined;
  const { graded } = existingPool(pool);
  if (found.version !== version) return undefined;
  const neighbors = found.nodes.filter(({ node }) => targets.has(node.id));
  const known = new Set(neighbors.map(({ node }) => node.id));
  return {
    nodeId: id,
    _riskTier: graded.grade,
    edges: edges
      .map(({ type, target, lastUpdatedAt }) => ({
        type,
        sourceId: id,
        targetId: adjacency.idAt(target),
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
