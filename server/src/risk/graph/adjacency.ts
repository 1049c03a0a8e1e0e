import { EDGE_ENDS, type EdgeType } from '../../domain/risk/graph.ts';
import { createGrowingNumbers } from '../search/growingNumbers.ts';
import { buildIdTable, findId, type IdTable, idAt, idCount } from '../search/idTable.ts';
import { buildPostings } from '../search/postings.ts';
import { sortPart } from '../search/sortPart.ts';

export interface AdjacencyEdge {
  readonly type: EdgeType;
  readonly sourceId: string;
  readonly targetId: string;
  /** Unix seconds. */
  readonly lastUpdatedAt: number;
}

/** An edge as seen from the node where it begins. */
export interface Dependency {
  readonly type: EdgeType;
  /** Number of the node it leads to. */
  readonly target: number;
  readonly lastUpdatedAt: number;
}

/** Plain blocks of numbers: a worker thread can build them and hand them over. */
export interface AdjacencyData {
  readonly ids: IdTable;
  /** Where the edges of each node begin, in the order of the nodes. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly targets: Uint32Array<ArrayBuffer>;
  readonly types: Uint8Array<ArrayBuffer>;
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
  const collector = createEdgeCollector(table, Array.isArray(edges) ? edges.length : undefined);
  for (const edge of edges) collector.add(edge);
  return collector.finish();
}

/** Takes edges one by one; none of them need stay. */
export interface EdgeCollector {
  add(edge: AdjacencyEdge): void;
  finish(): AdjacencyData;
}

/** `expected`: how many there will be, as far as is known. */
export function createEdgeCollector(ids: IdTable, expected?: number): EdgeCollector {
  const sources = createGrowingNumbers(expected);
  const targets = createGrowingNumbers(expected);
  const types = createGrowingNumbers(expected);
  const times = createGrowingNumbers(expected);
  // The edges of a node usually come together.
  let sourceId: string | undefined;
  let source: number | undefined;
  return {
    add(edge) {
      if (edge.sourceId !== sourceId) {
        sourceId = edge.sourceId;
        source = findId(ids, sourceId);
      }
      const target = findId(ids, edge.targetId);
      if (source === undefined || target === undefined) return;
      sources.push(source);
      targets.push(target);
      types.push(TYPES.indexOf(edge.type));
      times.push(edge.lastUpdatedAt);
    },
    finish: () =>
      arrange(ids, {
        sources: sources.view(),
        targets: targets.view(),
        types: types.view(),
        times: times.view(),
      }),
  };
}

interface GivenEdges {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly types: Uint32Array;
  readonly times: Uint32Array;
}

/** By source, then by type and target. */
function arrange(ids: IdTable, given: GivenEdges): AdjacencyData {
  const { sources, targets, types } = given;
  const nodes = idCount(ids);
  const count = sources.length;
  const bySource = buildPostings(nodes, sources);
  const { starts, ranks: order } = bySource;
  const compare = (a: number, b: number) => types[a]! - types[b]! || targets[a]! - targets[b]!;
  for (let node = 0; node < nodes; node++)
    sortPart(order, starts[node]!, starts[node + 1]!, compare);
  const data: AdjacencyData = {
    ids,
    starts,
    targets: new Uint32Array(count),
    types: new Uint8Array(count),
    times: new Uint32Array(count),
  };
  for (let place = 0; place < count; place++) {
    const edge = order[place]!;
    data.targets[place] = targets[edge]!;
    data.types[place] = types[edge]!;
    data.times[place] = given.times[edge]!;
  }
  return data;
}

export function openAdjacency(data: AdjacencyData): Adjacency {
  const { ids, starts, targets, types, times } = data;
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
          lastUpdatedAt: times[edge]!,
        });
      return found;
    },
  };
}
