import {
  type AdjacencyData,
  type AdjacencyEdge,
  createEdgeGatherer,
  type EdgeGatherer,
} from '../domain/risk/adjacency.ts';
import { GRADES } from '../domain/risk/graph.ts';
import { arrangeSearchData } from '../domain/risk/search/buildSearchData.ts';
import { createDocGatherer } from '../domain/risk/search/gatherDocs.ts';
import { rankDocs } from '../domain/risk/search/rankDocs.ts';
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
  /** All nodes come before the first edge. */
  addNodes(rows: readonly ViewNode[]): void;
  addEdges(rows: readonly AdjacencyEdge[]): void;
  finish(): ViewData;
}

export function createViewWork(): ViewWork {
  let nodes: ViewNode[] = [];
  let view: Omit<ViewData, 'adjacency'> | undefined;
  let edges: EdgeGatherer | undefined;

  /** Edges are taken up as they come, once the nodes they join have their numbers: most rows never have to stay. */
  function gatherEdges(): EdgeGatherer {
    view ??= buildNodes(nodes);
    nodes = [];
    edges ??= createEdgeGatherer(view.search.ids);
    return edges;
  }

  return {
    addNodes(rows) {
      for (const node of rows) nodes.push(node);
    },
    addEdges(rows) {
      const gatherer = gatherEdges();
      for (const edge of rows) gatherer.add(edge);
    },
    finish() {
      const adjacency = gatherEdges().finish();
      return { ...view!, adjacency };
    },
  };
}

function buildNodes(nodes: readonly ViewNode[]): Omit<ViewData, 'adjacency'> {
  const gatherer = createDocGatherer(nodes.length);
  for (const node of nodes) gatherer.add(node);
  const docs = gatherer.finish();
  const ranked = rankDocs(docs);
  const grades = new Uint8Array(ranked.places.length);
  const times = new Uint32Array(grades.length);
  for (let number = 0; number < grades.length; number++) {
    const { grade, lastUpdatedAt } = nodes[ranked.places[number]!]!;
    grades[number] = GRADES.indexOf(grade);
    times[number] = lastUpdatedAt;
  }
  return { search: arrangeSearchData(docs, ranked), grades, times };
}
