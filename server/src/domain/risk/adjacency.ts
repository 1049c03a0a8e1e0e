import { EDGE_ENDS, type EdgeType } from './graph.ts';
import { createGrowingNumbers } from './search/growingNumbers.ts';
import {
  buildIdTable,
  findId,
  type IdTable,
  idAt,
  idCount,
  numbersById,
} from './search/idTable.ts';
import { buildPostings } from './search/postings.ts';

export interface AdjacencyEdge {
  readonly type: EdgeType;
  readonly sourceId: string;
  readonly targetId: string;
  readonly weight: number;
  /** Unix seconds. */
  readonly lastUpdatedAt: number;
}

/** An edge as seen from the node where it begins. */
export interface Dependency {
  readonly type: EdgeType;
  /** Number of the node it leads to. */
  readonly target: number;
  readonly weight: number;
  readonly lastUpdatedAt: number;
}

/** Plain blocks of numbers: a worker thread can build them and hand them over. */
export interface AdjacencyData {
  readonly ids: IdTable;
  /** Where the edges of each node begin, in the order of the nodes. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly targets: Uint32Array<ArrayBuffer>;
  readonly types: Uint8Array<ArrayBuffer>;
  readonly weights: Float64Array<ArrayBuffer>;
  readonly times: Uint32Array<ArrayBuffer>;
}

export interface Adjacency {
  readonly nodes: number;
  readonly edges: number;
  find(id: string): number | undefined;
  idAt(node: number): string;
  /** The edges that begin at a node, by type and target, however they came in. */
  dependenciesOf(node: number): Dependency[];
}

const TYPES = Object.keys(EDGE_ENDS).sort() as EdgeType[];

/** `ids`: as they are, or the table of a search index, which is then shared. Edges to unknown ids are left out. */
export function buildAdjacency(
  ids: IdTable | readonly string[],
  edges: Iterable<AdjacencyEdge>,
): Adjacency {
  return openAdjacency(buildAdjacencyData(ids, edges));
}

export function buildAdjacencyData(
  ids: IdTable | readonly string[],
  edges: Iterable<AdjacencyEdge>,
): AdjacencyData {
  const table = 'strings' in ids ? ids : buildIdTable(ids);
  const numbers = numbersById(table);
  // Columns from the start: the edges may come page by page and need not stay.
  const sources = createGrowingNumbers();
  const targets = createGrowingNumbers();
  const types = createGrowingNumbers();
  const times = createGrowingNumbers();
  const weights: number[] = [];
  for (const edge of edges) {
    const source = numbers.get(edge.sourceId);
    const target = numbers.get(edge.targetId);
    if (source === undefined || target === undefined) continue;
    sources.push(source);
    targets.push(target);
    types.push(TYPES.indexOf(edge.type));
    times.push(edge.lastUpdatedAt);
    weights.push(edge.weight);
  }
  const given = { sources: sources.finish(), targets: targets.finish(), types: types.finish() };
  const { starts, order } = orderEdges(idCount(table), given);
  const givenTimes = times.finish();
  return {
    ids: table,
    starts,
    targets: Uint32Array.from(order, (edge) => given.targets[edge]!),
    types: Uint8Array.from(order, (edge) => given.types[edge]!),
    weights: Float64Array.from(order, (edge) => weights[edge]!),
    times: Uint32Array.from(order, (edge) => givenTimes[edge]!),
  };
}

function orderEdges(
  nodes: number,
  { sources, targets, types }: Record<'sources' | 'targets' | 'types', Uint32Array>,
) {
  const bySource = buildPostings(nodes, sources.length, (edge, add) => add(sources[edge]!));
  const { starts, ranks: order } = bySource;
  for (let node = 0; node < nodes; node++)
    order
      .subarray(starts[node]!, starts[node + 1]!)
      .sort((a, b) => types[a]! - types[b]! || targets[a]! - targets[b]!);
  return { starts, order };
}

export function openAdjacency(data: AdjacencyData): Adjacency {
  const { ids, starts, targets, types, weights, times } = data;
  return {
    nodes: idCount(ids),
    edges: targets.length,
    find: (id) => findId(ids, id.toLowerCase()),
    idAt: (node) => idAt(ids, node),
    dependenciesOf(node) {
      const found: Dependency[] = [];
      for (let edge = starts[node]!; edge < starts[node + 1]!; edge++)
        found.push({
          type: TYPES[types[edge]!]!,
          target: targets[edge]!,
          weight: weights[edge]!,
          lastUpdatedAt: times[edge]!,
        });
      return found;
    },
  };
}
