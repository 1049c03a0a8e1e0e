import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { riskEdges, type VersionedEdges } from '../../store/risk/edges.ts';
import { RISK_CHANNEL, riskImports } from '../../store/risk/imports.ts';
import { type KeyedNode, riskKeys } from '../../store/risk/keys.ts';
import { type GradedNode, riskRead, type VersionedNodes } from '../../store/risk/read.ts';
import type { Store } from '../../store/store.ts';
import { keepView, LARGE_GRAPH, readKeptView } from './keptView.ts';
import { type GraphView, loadView, type StartView } from './loadView.ts';

export interface LiveGraph {
  /** The view for a response: use the same one for the entire response. */
  readonly current: GraphView;
  /** Whether the store is known to have a newer version than `current`. */
  readonly isBehind: boolean;
  /** Reads a complete node from the store; ids in any case. */
  findNode(id: string): Promise<GradedNode | undefined>;
  /** Finds nodes by address or unique key, in any case, on one chain or on all. */
  findByKey(key: string, chainId: number | undefined): Promise<KeyedNode[]>;
  /** Reads several nodes of one version. `newest`: not from a replica, which may lag behind `current`. */
  getNodes(ids: readonly string[], newest?: boolean): Promise<VersionedNodes>;
  /** Reads the edges from a node from the primary. */
  getEdgesOf(id: string): Promise<VersionedEdges>;
  /** Reads the search results of these nodes from the primary. */
  getOutlinesOf(ids: readonly string[]): Promise<SearchDoc[]>;
  /** Checks whether the graph has changed, and resolves when `current` is as new as the store was. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface LiveGraphDeps {
  readonly store: Pick<Store, 'query' | 'reads' | 'listen' | 'transaction' | 'lead'>;
  /** Unix seconds. */
  readonly now: () => number;
  /** A rebuild failed; the previous view stays, and the rebuild is retried. */
  readonly onError: (error: unknown) => void;
  readonly start?: StartView;
  /** A view of at least this many nodes is stored for servers that start later. */
  readonly keepFrom?: number;
}

/** A notification can be lost with its connection. */
const LOOK_MS = 30_000;
/** A large graph takes a minute to build and changes every few: pause for a multiple of the build time. */
const REST = 9;

/** Loads the graph and follows its changes: a new view is built in the background, then replaces the previous one. */
export async function openLiveGraph(deps: LiveGraphDeps): Promise<LiveGraph> {
  const { store, onError, keepFrom = LARGE_GRAPH } = deps;
  let stopped = false;
  let building: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let keeping: Promise<void> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let restsUntil = 0;
  let current = (await readKeptView(store)) ?? (await build());
  // A stored view may be older than the graph.
  let newest = await riskImports.findVersion(store);

  async function build(): Promise<GraphView> {
    const began = performance.now();
    const view = await loadView(store, deps.start);
    const ended = performance.now();
    restsUntil = ended + REST * (ended - began);
    keeping ??= keepView(store, view, {
      ...{ now: deps.now(), from: keepFrom },
      isStopped: () => stopped,
    })
      .catch(onError)
      .finally(() => {
        keeping = undefined;
      });
    return view;
  }

  /** Runs one at a time; concurrent callers wait for one more run, which sees their changes. */
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
    if (stopped) return;
    newest = await riskImports.findVersion(store);
    if (newest !== current.version) current = await build();
  }

  function look(): void {
    if (stopped || waiting !== undefined) return;
    waiting = setTimeout(
      () => {
        waiting = undefined;
        void refresh().catch(onError);
      },
      Math.max(0, restsUntil - performance.now()),
    );
    waiting.unref();
  }

  const unlisten = await store.listen(RISK_CHANNEL, (version) => {
    newest = Math.max(newest, Number(version));
    look();
  });
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  // Includes commits between loading and listening, or since the view was stored.
  look();

  return {
    get current() {
      return current;
    },
    get isBehind() {
      return newest !== current.version;
    },
    findNode: (id) => riskRead.findNode(store.reads, id),
    findByKey: (key, chainId) => riskKeys.find(store.reads, key, chainId),
    getNodes: (ids, fresh) => riskRead.getNodes(fresh ? store : store.reads, ids),
    getEdgesOf: (id) => riskEdges.getOf(store, id),
    getOutlinesOf: (ids) => riskRead.getOutlinesOf(store, ids),
    refresh,
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(waiting);
      await unlisten();
      await (next ?? building)?.catch(() => undefined);
      await keeping;
    },
  };
}
