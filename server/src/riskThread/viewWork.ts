import {
  type AdjacencyData,
  type AdjacencyEdge,
  buildAdjacencyData,
} from '../domain/risk/adjacency.ts';
import { GRADES } from '../domain/risk/graph.ts';
import { buildSearchData } from '../domain/risk/search/buildSearchData.ts';
import { findId, idCount } from '../domain/risk/search/idTable.ts';
import type { SearchData } from '../domain/risk/search/searchData.ts';
import type { SearchDoc } from '../domain/risk/search/searchDoc.ts';

export interface ViewNode extends SearchDoc {
  /** Unix seconds. */
  readonly lastUpdatedAt: number;
}

/** All that readers of the graph need, as blocks that a thread hands over without copying. */
export interface ViewData {
  readonly search: SearchData;
  /** On the search's own table of ids. */
  readonly adjacency: AdjacencyData;
  /** Places in GRADES, by node number. */
  readonly grades: Uint8Array<ArrayBuffer>;
  readonly times: Uint32Array<ArrayBuffer>;
}

/** Builds what the graph is searched by. */
export interface ViewWork {
  addNodes(rows: readonly ViewNode[]): void;
  addEdges(rows: readonly AdjacencyEdge[]): void;
  finish(): ViewData;
}

export function createViewWork(): ViewWork {
  const nodes: ViewNode[] = [];
  const edges: AdjacencyEdge[] = [];
  return {
    addNodes(rows) {
      for (const node of rows) nodes.push(node);
    },
    addEdges(rows) {
      for (const edge of rows) edges.push(edge);
    },
    finish: () => buildView(nodes, edges),
  };
}

function buildView(nodes: readonly ViewNode[], edges: readonly AdjacencyEdge[]): ViewData {
  const search = buildSearchData(nodes);
  const adjacency = buildAdjacencyData(search.ids, edges);
  const grades = new Uint8Array(idCount(search.ids));
  const times = new Uint32Array(grades.length);
  for (const { id, grade, lastUpdatedAt } of nodes) {
    const number = findId(search.ids, id)!;
    grades[number] = GRADES.indexOf(grade);
    times[number] = lastUpdatedAt;
  }
  return { search, adjacency, grades, times };
}
