import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import {
  type AdjacencyData,
  type AdjacencyEdge,
  createEdgeGatherer,
  type EdgeGatherer,
} from '../graph/adjacency.ts';
import { arrangeSearchData } from '../search/buildSearchData.ts';
import { createDocGatherer } from '../search/gatherDocs.ts';
import { rankDocs } from '../search/rankDocs.ts';
import type { SearchData } from '../search/searchData.ts';

/** All that readers of the graph need, as blocks that a thread hands over without copying. */
export interface ViewData {
  readonly search: SearchData;
  /** On the search's own table of ids. */
  readonly adjacency: AdjacencyData;
}

/** Builds what the graph is searched by. */
export interface ViewWork {
  /** All nodes come before the first edge. */
  addNodes(rows: readonly SearchDoc[]): void;
  addEdges(rows: readonly AdjacencyEdge[]): void;
  finish(): ViewData;
}

/** Takes from each row what is needed as it comes: none of them has to stay. */
export function createViewWork(): ViewWork {
  let docs = createDocGatherer();
  let search: SearchData | undefined;
  let edges: EdgeGatherer | undefined;

  /** Once the nodes that they join have their numbers. */
  function gatherEdges(): EdgeGatherer {
    search ??= arrange();
    edges ??= createEdgeGatherer(search.ids);
    return edges;
  }

  function arrange(): SearchData {
    const gathered = docs.finish();
    // Its memory is needed for the edges.
    docs = createDocGatherer();
    return arrangeSearchData(gathered, rankDocs(gathered));
  }

  return {
    addNodes(rows) {
      for (const node of rows) docs.add(node);
    },
    addEdges(rows) {
      const gatherer = gatherEdges();
      for (const edge of rows) gatherer.add(edge);
    },
    finish() {
      const adjacency = gatherEdges().finish();
      return { search: search!, adjacency };
    },
  };
}
