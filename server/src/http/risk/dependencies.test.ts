import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { applyImport } from '../../risk/import/applyImport.ts';
import { startWork } from '../../risk/thread/start.ts';
import { type Store, statement } from '../../store/store.ts';
import { BadParameters, NotFound, NotReady } from '../problem.ts';
import { agentRoutes } from './agentRoutes.ts';
import { sellDependencies } from './dependencies.ts';
import { type LiveGraph, type LiveGraphDeps, openLiveGraph } from './liveGraph.ts';

const CLEAR = statement(
  'test.dependencies.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version',
);
const POOL = 'pool:base:0x1';

/** Each round changes the pool's operator, and every name contains the round. */
function records(round: number): RiskRecord[] {
  const [slug, other] = round % 2 === 0 ? ['even', 'odd'] : ['odd', 'even'];
  const name = `Round ${round}`;
  return [
    { node: { id: 'chain:base', label: 'Chain', facts: { name, slug: 'base' } }, edges: [] },
    ...[slug, other].map(
      (each): RiskRecord => ({
        node: { id: `protocol:${each}`, label: 'Protocol', facts: { name, slug: each! } },
        edges: [],
      }),
    ),
    {
      node: { id: POOL, label: 'Pool', facts: { name, chain: 'base', address: '0x1' } },
      edges: [
        { type: 'LIVES_ON', sourceId: POOL, targetId: 'chain:base', weight: 1 },
        { type: 'OPERATED_BY', sourceId: POOL, targetId: `protocol:${slug}`, weight: 1 },
      ],
    },
  ];
}

interface Answer {
  readonly edges: readonly { readonly targetId: string }[];
  readonly neighbors: readonly { readonly id: string; readonly properties: { name: string } }[];
}

describeAnyEngine('dependencies', (open) => {
  const graphs: LiveGraph[] = [];
  afterEach(async () => {
    for (const graph of graphs.splice(0)) await graph.stop();
  });

  /** Starts a graph that gets no import notifications. */
  async function startDeaf(options: Partial<LiveGraphDeps> = {}) {
    const store = await open();
    await store.query(CLEAR);
    const deaf: LiveGraphDeps['store'] = {
      query: store.query.bind(store),
      reads: store.reads,
      transaction: store.transaction.bind(store),
      lead: store.lead.bind(store),
      listen: async () => async () => undefined,
    };
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const graph = await openLiveGraph({ store: deaf, now: () => 0, onError, ...options });
    graphs.push(graph);
    const route = agentRoutes({ graph, methodVersion: 'test' }).find(
      ({ price }) => price === 'dependencies',
    )!;
    const ask = (nodeId: string) =>
      route.answer({
        path: {},
        query: new Map([['nodeId', [nodeId]]]),
        now: 0,
      }) as Promise<Answer>;
    return { store, graph, ask };
  }

  async function add(store: Store, round: number) {
    const source = 'defillama-pools' as const;
    await applyImport({ store, source, records: records(round), now: 100 + round, force: true });
  }

  test('behavior: a pool that memory does not have yet is not sold as empty', async () => {
    const { store, ask } = await startDeaf();
    await add(store, 1);
    const { edges, neighbors } = await ask(POOL.toUpperCase());
    expect(edges.map(({ targetId }) => targetId)).toEqual(['chain:base', 'protocol:odd']);
    expect(neighbors.map(({ id }) => id)).toEqual(['chain:base', 'protocol:odd']);
  });

  test('behavior: every response is from one version while imports run', async () => {
    const { store, ask } = await startDeaf();
    await add(store, 0);
    let importing = true;
    async function read(): Promise<void> {
      while (importing) {
        const answer = await ask(POOL).catch((error: unknown) => error);
        // Another import ran in the meantime.
        if (!(answer instanceof NotReady)) expectOneRound(answer as Answer);
      }
    }
    const readers = [read(), read()];
    for (let round = 1; round <= 8; round++) await add(store, round);
    importing = false;
    await Promise.all(readers);
    expect(expectOneRound(await ask(POOL))).toBe(8);
  });

  function expectOneRound({ edges, neighbors }: Answer): number {
    const rounds = new Set(neighbors.map(({ properties }) => properties.name));
    expect(rounds.size).toBe(1);
    const round = Number([...rounds][0]!.split(' ')[1]);
    const targets = ['chain:base', `protocol:${round % 2 === 0 ? 'even' : 'odd'}`];
    expect(edges.map(({ targetId }) => targetId)).toEqual(targets);
    expect(neighbors.map(({ id }) => id)).toEqual(targets);
    return round;
  }

  test('behavior: while the graph in memory is behind, responses come from the store', async () => {
    let fails = false;
    const { store, graph, ask } = await startDeaf({
      // The graph polls for changes occasionally.
      onError: (error) => expect(String(error)).toContain('no memory left'),
      start(nodes) {
        if (fails) throw new Error('no memory left');
        return startWork('view', nodes);
      },
    });
    await add(store, 1);
    await graph.refresh();
    expect(expectOneRound(await ask(POOL))).toBe(1);
    fails = true;
    await add(store, 2);
    await expect(graph.refresh()).rejects.toThrow('no memory left');
    expect(expectOneRound(await ask(POOL))).toBe(2);
    await expect(ask('protocol:odd')).rejects.toBeInstanceOf(BadParameters);
    await expect(ask('pool:base:0x2')).rejects.toBeInstanceOf(NotFound);
    fails = false;
    await graph.refresh();
    expect(expectOneRound(await ask(POOL))).toBe(2);
  });

  test('error: a graph that changes between every two reads is not sold', async () => {
    const { store, graph } = await startDeaf();
    // From before the import: the graph polls for changes, and edges of the new version could be sold.
    const { current } = graph;
    await add(store, 1);
    const { edges } = await graph.getEdgesOf(POOL);
    let version = 100;
    const restless = {
      current,
      getNodes: graph.getNodes,
      getEdgesOf: async () => ({ version: version++, edges }),
    };
    await expect(sellDependencies(restless, POOL)).rejects.toBeInstanceOf(NotReady);
    expect(version).toBeGreaterThan(101);
  });
});
