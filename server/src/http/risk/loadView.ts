import { type Adjacency, openAdjacency } from '../../risk/graph/adjacency.ts';
import { openSearchIndex, type SearchIndex } from '../../risk/search/searchIndex.ts';
import { inParts, type Running } from '../../risk/thread/running.ts';
import { startWork } from '../../risk/thread/start.ts';
import { RiskThreadEnded } from '../../risk/thread/thread.ts';
import type { ViewData, ViewWork } from '../../risk/thread/viewWork.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { riskRead } from '../../store/risk/read.ts';
import type { Queryable } from '../../store/store.ts';

/** The graph at one time, completely in memory and immutable. Both parts identify nodes by number. */
export interface GraphView {
  readonly version: number;
  readonly data: ViewData;
  readonly search: SearchIndex;
  readonly adjacency: Adjacency;
}

/** Where a view of this size is built. */
export type StartView = (nodes: number) => Running<ViewWork>;

/** Retries of loading if the graph changed between two pages, or the building thread ended. */
const MAX_ATTEMPTS = 3;

/** Reads the graph from the primary: a replica may lag behind a notification. */
export async function loadView(
  store: Queryable,
  start: StartView = (nodes) => startWork('view', nodes),
): Promise<GraphView> {
  for (let attempt = 1; ; attempt++) {
    try {
      const version = await riskImports.findVersion(store);
      const data = await build(store, start);
      const torn = (await riskImports.findVersion(store)) !== version;
      // An inconsistent view has no version of the store: the next check replaces it.
      if (!torn || attempt === MAX_ATTEMPTS) return openView(torn ? -1 : version, data);
    } catch (error) {
      if (!(error instanceof RiskThreadEnded) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

export function openView(version: number, data: ViewData): GraphView {
  return {
    version,
    data,
    search: openSearchIndex(data.search),
    adjacency: openAdjacency(data.adjacency),
  };
}

/** Reads page by page and forwards each page: the event loop never holds the entire graph and is not blocked. */
async function build(store: Queryable, start: StartView): Promise<ViewData> {
  const counts = await riskNodes.getCounts(store);
  const work = start([...counts.values()].reduce((sum, count) => sum + count, 0));
  try {
    for await (const page of riskRead.getOutlines(store)) {
      await inParts(page, (part) => work.call('addNodes', part));
    }
    for await (const page of riskEdges.getAll(store)) {
      await inParts(page, (part) => work.call('addEdges', part));
    }
    return await work.call('finish');
  } finally {
    await work.close();
  }
}
