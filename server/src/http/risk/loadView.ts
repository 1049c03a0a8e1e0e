import { type Adjacency, openAdjacency } from '../../domain/risk/adjacency.ts';
import { openSearchIndex, type SearchIndex } from '../../domain/risk/search/searchIndex.ts';
import { inParts, type Running } from '../../riskThread/running.ts';
import { startWork } from '../../riskThread/start.ts';
import { RiskThreadEnded } from '../../riskThread/thread.ts';
import type { ViewData, ViewWork } from '../../riskThread/viewWork.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { riskRead } from '../../store/risk/read.ts';
import type { Queryable } from '../../store/store.ts';

/** The graph at one moment, all of it in memory; it never changes. Nodes go by their number in both parts. */
export interface GraphView {
  readonly version: number;
  readonly data: ViewData;
  readonly search: SearchIndex;
  readonly adjacency: Adjacency;
}

/** Where a view of so many nodes is built. */
export type StartView = (nodes: number) => Running<ViewWork>;

/** Of loading anew when the graph changed between two pages, or the thread that builds has ended. */
const MOST_ATTEMPTS = 3;

/** Reads the graph, from the primary: a replica may not have yet what a notification spoke of. */
export async function loadView(
  store: Queryable,
  start: StartView = (nodes) => startWork('view', nodes),
): Promise<GraphView> {
  for (let attempt = 1; ; attempt++) {
    try {
      const version = await riskImports.findVersion(store);
      const data = await build(store, start);
      const torn = (await riskImports.findVersion(store)) !== version;
      // Torn all the same, it has no version that the store could have: the next look replaces it.
      if (!torn || attempt === MOST_ATTEMPTS) return openView(torn ? -1 : version, data);
    } catch (error) {
      if (!(error instanceof RiskThreadEnded) || attempt === MOST_ATTEMPTS) throw error;
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

/** Page by page, each passed on as it comes: at no time does the event loop hold the graph, or is held up by it. */
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
