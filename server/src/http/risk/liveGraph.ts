import { type Adjacency, type AdjacencyEdge, buildAdjacency } from '../../domain/risk/adjacency.ts';
import { GRADES, type Grade } from '../../domain/risk/graph.ts';
import { idAt } from '../../domain/risk/search/idTable.ts';
import { buildSearchIndex, type SearchIndex } from '../../domain/risk/search/searchIndex.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { RISK_CHANNEL, riskImports } from '../../store/risk/imports.ts';
import { type GradedNode, type NodeOutline, riskRead } from '../../store/risk/read.ts';
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
  getNodes(ids: readonly string[]): Promise<GradedNode[]>;
  /** Looks whether the graph has changed, and resolves when `current` is as new as the store was. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface LiveGraphDeps {
  readonly store: Pick<Store, 'query' | 'reads' | 'listen'>;
  /** A rebuild failed; the view before stays, and it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** A notification can be lost with its connection. */
const LOOK_MS = 30_000;
/** Of loading anew when the graph changed between two pages. */
const MOST_ATTEMPTS = 3;

/** Loads the graph and follows its changes: a new view is built aside, then takes the place of the one before. */
export async function openLiveGraph({ store, onError }: LiveGraphDeps): Promise<LiveGraph> {
  let current = await load(store);
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
    current = await load(store);
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
    getNodes: (ids) => riskRead.getNodes(store.reads, ids),
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
async function load(store: Pick<Store, 'query'>): Promise<GraphView> {
  for (let attempt = 1; ; attempt++) {
    const version = await riskImports.findVersion(store);
    const nodes: NodeOutline[] = [];
    for await (const page of riskRead.getOutlines(store)) for (const node of page) nodes.push(node);
    const edges: AdjacencyEdge[] = [];
    for await (const page of riskEdges.getAll(store)) for (const edge of page) edges.push(edge);
    const torn = (await riskImports.findVersion(store)) !== version;
    // Torn all the same, it has no version that the store could have: the next look replaces it.
    if (!torn || attempt === MOST_ATTEMPTS) return viewOf(torn ? -1 : version, nodes, edges);
  }
}

function viewOf(
  version: number,
  nodes: readonly NodeOutline[],
  edges: readonly AdjacencyEdge[],
): GraphView {
  const search = buildSearchIndex(nodes);
  const adjacency = buildAdjacency(search.ids, edges);
  const numberOf = new Map<string, number>();
  for (let number = 0; number < search.size; number++) {
    numberOf.set(idAt(search.ids, number), number);
  }
  const grades = new Uint8Array(search.size);
  const times = new Float64Array(search.size);
  for (const { id, grade, lastUpdatedAt } of nodes) {
    const number = numberOf.get(id)!;
    grades[number] = GRADES.indexOf(grade);
    times[number] = lastUpdatedAt;
  }
  return {
    version,
    search,
    adjacency,
    gradeOf: (node) => GRADES[grades[node]!]!,
    lastUpdatedAtOf: (node) => times[node]!,
  };
}
