import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { PoolFacts } from '../../domain/risk/graph.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { applyImport } from '../../risk/import/applyImport.ts';
import { startWork } from '../../risk/thread/start.ts';
import { type Store, statement } from '../../store/store.ts';
import { agentRoutes } from './agentRoutes.ts';
import { type LiveGraph, type LiveGraphDeps, openLiveGraph } from './liveGraph.ts';
import type { GraphView } from './loadView.ts';

const CLEAR = statement(
  'test.keptView.clear',
  `truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version, risk_view, risk_view_part`,
);
const LOSE_PART = statement(
  'test.keptView.losePart',
  'delete from risk_view_part where part = (select max(part) from risk_view_part)',
);
const SET_AHEAD = statement('test.keptView.setAhead', 'update risk_view set version = version + 1');
const KEPT = statement(
  'test.keptView.kept',
  `select version, (select count(*) from risk_view_part p where p.version = v.version) as parts,
     (select count(*) from risk_view_part) as "allParts" from risk_view v`,
);

/** Values contain the round; the last pool exists in even rounds only. */
function pools(round: number): RiskRecord[] {
  return Array.from({ length: 6 - (round % 2) }, (_, i) => ({
    node: {
      id: `pool:base:0x${i}`,
      label: 'Pool',
      facts: { name: `Alpha ${i}`, chain: 'base', address: `0x${i}`, tvlUsd: 1000 * round + i },
    },
    edges: [],
  }));
}

describeAnyEngine('keptView', (open) => {
  const graphs: LiveGraph[] = [];
  afterEach(async () => {
    for (const graph of graphs.splice(0)) await graph.stop();
  });

  async function start(store: Store, options: Partial<LiveGraphDeps> = {}): Promise<LiveGraph> {
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const graph = await openLiveGraph({ store, now: () => 0, onError, keepFrom: 1, ...options });
    graphs.push(graph);
    return graph;
  }

  /** Opens a store with a graph, and the stored view of a server that has ended. */
  async function startKept() {
    const store = await open();
    await store.query(CLEAR);
    await add(store, 2);
    const first = await start(store);
    const view = first.current;
    await expect.poll(() => store.query(KEPT)).toHaveLength(1);
    await first.stop();
    return { store, view };
  }

  async function add(store: Store, round: number) {
    const source = 'defillama-pools' as const;
    await applyImport({ store, source, records: pools(round), now: 100 + round, force: true });
  }

  const refuseToBuild: Partial<LiveGraphDeps> = {
    start: () => {
      throw new Error('was built');
    },
  };

  function hitsOf({ search }: GraphView) {
    return Array.from({ length: search.size }, (_, node) => search.hitAt(node));
  }

  test('default: a server that starts later has the same view, and builds none', async () => {
    const { store, view } = await startKept();
    const { current, isBehind } = await start(store, refuseToBuild);
    expect(current.version).toBe(view.version);
    expect(hitsOf(current)).toEqual(hitsOf(view));
    expect(isBehind).toBe(false);
  });

  test("behavior: while the view is outdated, the store's data is sold", async () => {
    const { store } = await startKept();
    await add(store, 3);
    let builds = false;
    const graph = await start(store, {
      onError: (error) => expect(String(error)).toContain('was built'),
      start: (nodes) => {
        if (!builds) return refuseToBuild.start!(nodes);
        return startWork('view', nodes);
      },
    });
    const { answer } = agentRoutes({ graph, methodVersion: 'test' }).find(
      ({ price }) => price === 'search',
    )!;
    const ask = (more: Record<string, string> = {}) =>
      answer({
        path: {},
        query: new Map(
          Object.entries({ q: 'alpha', ...more }).map(([name, text]) => [name, [text]]),
        ),
        now: 0,
      });
    expect(graph.isBehind).toBe(true);
    expect(graph.current.search.size).toBe(6);
    const expected = pools(3).map(({ node }) => ({
      id: node.id,
      tvlUsd: (node.facts as PoolFacts).tvlUsd,
    }));
    expect(await ask()).toMatchObject(expected.toReversed());
    expect(await ask({ tvl: '<3000' })).toEqual([]);
    builds = true;
    await graph.refresh();
    expect(graph.isBehind).toBe(false);
    expect(await ask()).toMatchObject(expected.toReversed());
  });

  test.each([
    ['has lost a part', LOSE_PART],
    ['is ahead of the graph', SET_AHEAD],
  ])('error: a view that %s is not used', async (_, spoil) => {
    const { store, view } = await startKept();
    await store.query(spoil);
    await expect(start(store, refuseToBuild)).rejects.toThrow('was built');
    expect(hitsOf((await start(store)).current)).toEqual(hitsOf(view));
  });

  test('behavior: stored again after ten minutes, and the previous one is deleted', async () => {
    const { store } = await startKept();
    let now = 599;
    const graph = await start(store, { now: () => now });
    const before = await store.query<{ version: number; parts: number }>(KEPT);
    await add(store, 3);
    await graph.refresh();
    await graph.stop();
    expect(await store.query(KEPT)).toEqual(before);
    now = 600;
    await add(store, 4);
    const later = await start(store, { now: () => now });
    await later.refresh();
    type Kept = { version: number; parts: number; allParts: number };
    const find = async () => (await store.query<Kept>(KEPT))[0]!;
    await expect.poll(async () => (await find()).version).toBe(later.current.version);
    const { parts, allParts } = await find();
    expect(parts).toBeGreaterThan(0);
    expect(allParts).toBe(parts);
  });
});
