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

/** What readers of the graph need, as blocks that a thread can transfer without copying. */
export interface ViewData {
  readonly search: SearchData;
  /** By the ids of the search index. */
  readonly adjacency: AdjacencyData;
}

/** Builds the search index and adjacency of the graph. */
export interface ViewWork {
  /** Call it for all nodes before the first edge. */
  addNodes(rows: readonly SearchDoc[]): void;
  addEdges(rows: readonly AdjacencyEdge[]): void;
  finish(): ViewData;
}

/** Extracts what is needed from each row immediately, so that rows are not kept in memory. */
export function createViewWork(): ViewWork {
  let docs = createDocGatherer();
  let search: SearchData | undefined;
  let edges: EdgeGatherer | undefined;

  /** Created once all nodes have their numbers. */
  function gatherEdges(): EdgeGatherer {
    search ??= arrange();
    edges ??= createEdgeGatherer(search.ids);
    return edges;
  }

  function arrange(): SearchData {
    const gathered = docs.finish();
    // Frees memory for the edges.
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
