import { EDGE_ENDS, type EdgeType } from './graph.ts';
import { createGrowingNumbers } from './search/growingNumbers.ts';
import { buildIdTable, findId, type IdTable, idAt, idCount } from './search/idTable.ts';
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
  // Columns from the start: the edges may come page by page and need not stay.
  const sources = createGrowingNumbers();
  const targets = createGrowingNumbers();
  const types = createGrowingNumbers();
  const times = createGrowingNumbers();
  const weights: number[] = [];
  // The edges of a node usually come together.
  let sourceId: string | undefined;
  let source: number | undefined;
  for (const edge of edges) {
    if (edge.sourceId !== sourceId) {
      sourceId = edge.sourceId;
      source = findId(table, sourceId);
    }
    const target = findId(table, edge.targetId);
    if (source === undefined || target === undefined) continue;
    sources.push(source);
    targets.push(target);
    types.push(TYPES.indexOf(edge.type));
    times.push(edge.lastUpdatedAt);
    weights.push(edge.weight);
  }
  return arrange(table, {
    sources: sources.finish(),
    targets: targets.finish(),
    types: types.finish(),
    times: times.finish(),
    weights,
  });
}

interface GivenEdges {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly types: Uint32Array;
  readonly times: Uint32Array;
  readonly weights: readonly number[];
}

/** By source, then by type and target. */
function arrange(ids: IdTable, given: GivenEdges): AdjacencyData {
  const { sources, targets, types } = given;
  const nodes = idCount(ids);
  const count = sources.length;
  const bySource = buildPostings(nodes, count, (edge, add) => add(sources[edge]!));
  const { starts, ranks: order } = bySource;
  const isBefore = (a: number, b: number) =>
    types[a] === types[b] ? targets[a]! < targets[b]! : types[a]! < types[b]!;
  for (let node = 0; node < nodes; node++)
    sortPart(order, starts[node]!, starts[node + 1]!, isBefore);
  const data: AdjacencyData = {
    ids,
    starts,
    targets: new Uint32Array(count),
    types: new Uint8Array(count),
    weights: new Float64Array(count),
    times: new Uint32Array(count),
  };
  for (let place = 0; place < count; place++) {
    const edge = order[place]!;
    data.targets[place] = targets[edge]!;
    data.types[place] = types[edge]!;
    data.weights[place] = given.weights[edge]!;
    data.times[place] = given.times[edge]!;
  }
  return data;
}

/** In place. Nearly all nodes have a handful of edges, which are inserted one by one faster than they are sorted. */
function sortPart(
  order: Uint32Array,
  start: number,
  end: number,
  isBefore: (a: number, b: number) => boolean,
): void {
  if (end - start > 32) {
    order.subarray(start, end).sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const edge = order[i]!;
    let at = i;
    for (; at > start && isBefore(edge, order[at - 1]!); at--) order[at] = order[at - 1]!;
    order[at] = edge;
  }
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
