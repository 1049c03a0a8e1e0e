import { type Adjacency, openAdjacency } from '../../domain/risk/adjacency.ts';
import { GRADES, type Grade } from '../../domain/risk/graph.ts';
import { openSearchIndex, type SearchIndex } from '../../domain/risk/search/searchIndex.ts';
import { inParts, type Running } from '../../riskThread/running.ts';
import { startWork } from '../../riskThread/start.ts';
import { RiskThreadEnded } from '../../riskThread/thread.ts';
import type { ViewData, ViewWork } from '../../riskThread/viewWork.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { RISK_CHANNEL, riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { type GradedNode, riskRead, type VersionedNodes } from '../../store/risk/read.ts';
import type { Store } from '../../store/store.ts';

/** The graph at one moment, all of it in memory; it never changes. Nodes go by their number in both parts. */
export interface GraphView {
  readonly version: number;
  readonly search: SearchIndex;
  readonly adjacency: Adjacency;
  gradeOf(node: number): Grade;
  /** Unix seconds. */
  lastUpdatedAtOf(node: number): number;
}

export interface LiveGraph {
  /** What to answer from: hold on to it for as long as one answer takes. */
  readonly current: GraphView;
  /** The whole of a node, as the store has it now; ids in any case. */
  findNode(id: string): Promise<GradedNode | undefined>;
  /** Several of them, of one version. `newest`: not from a replica, which may be behind `current`. */
  getNodes(ids: readonly string[], newest?: boolean): Promise<VersionedNodes>;
  /** Looks whether the graph has changed, and resolves when `current` is as new as the store was. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface LiveGraphDeps {
  readonly store: Pick<Store, 'query' | 'reads' | 'listen'>;
  /** A rebuild failed; the view before stays, and it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Where a view of so many nodes is built. */
  readonly start?: (nodes: number) => Running<ViewWork>;
}

/** A notification can be lost with its connection. */
const LOOK_MS = 30_000;
/** Of loading anew when the graph changed between two pages, or the thread that builds has ended. */
const MOST_ATTEMPTS = 3;

/** Loads the graph and follows its changes: a new view is built aside, then takes the place of the one before. */
export async function openLiveGraph(deps: LiveGraphDeps): Promise<LiveGraph> {
  const { store, onError } = deps;
  let current = await load(deps);
  let building: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let stopped = false;

  /** One at a time; whoever asks meanwhile waits for one more, which has seen what they mean. */
  function refresh(): Promise<void> {
    if (building === undefined) {
      building = rebuild().finally(() => {
        building = undefined;
      });
      return building;
    }
    next ??= building
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return refresh();
      });
    return next;
  }

  async function rebuild(): Promise<void> {
    if (stopped || (await riskImports.findVersion(store)) === current.version) return;
    current = await load(deps);
  }

  const look = () => void refresh().catch(onError);
  const unlisten = await store.listen(RISK_CHANNEL, look);
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  // What was committed between loading and listening.
  look();

  return {
    get current() {
      return current;
    },
    findNode: (id) => riskRead.findNode(store.reads, id),
    getNodes: (ids, newest) => riskRead.getNodes(newest ? store : store.reads, ids),
    refresh,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await unlisten();
      await (next ?? building)?.catch(() => undefined);
    },
  };
}

/** From the primary: a replica may not have yet what the notification spoke of. */
async function load({ store, start = startView }: LiveGraphDeps): Promise<GraphView> {
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

/** Page by page, each passed on as it comes: at no time does the event loop hold the graph, or is held up by it. */
async function build(
  store: Pick<Store, 'query'>,
  start: (nodes: number) => Running<ViewWork>,
): Promise<ViewData> {
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

function startView(nodes: number): Running<ViewWork> {
  return startWork('view', nodes);
}

function openView(version: number, { search, adjacency, grades, times }: ViewData): GraphView {
  return {
    version,
    search: openSearchIndex(search),
    adjacency: openAdjacency(adjacency),
    gradeOf: (node) => GRADES[grades[node]!]!,
    lastUpdatedAtOf: (node) => times[node]!,
  };
}
