import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import {
  type AdjacencyData,
  type AdjacencyEdge,
  createEdgeCollector,
  type EdgeCollector,
} from '../graph/adjacency.ts';
import { arrangeSearchData } from '../search/buildSearchData.ts';
import { createDocCollector } from '../search/collectDocs.ts';
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
  let docs = createDocCollector();
  let search: SearchData | undefined;
  let edges: EdgeCollector | undefined;

  /** Created once all nodes have their numbers. */
  function collectEdges(): EdgeCollector {
    search ??= arrange();
    edges ??= createEdgeCollector(search.ids);
    return edges;
  }

  function arrange(): SearchData {
    const collected = docs.finish();
    // Frees memory for the edges.
    docs = createDocCollector();
    return arrangeSearchData(collected, rankDocs(collected));
  }

  return {
    addNodes(rows) {
      for (const node of rows) docs.add(node);
    },
    addEdges(rows) {
      const collector = collectEdges();
      for (const edge of rows) collector.add(edge);
    },
    finish() {
      const adjacency = collectEdges().finish();
      return { search: search!, adjacency };
    },
  };
}
