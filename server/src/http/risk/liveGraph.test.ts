import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { applyImport } from '../../risk/import/applyImport.ts';
import { RiskThreadEnded, startThread } from '../../risk/thread/thread.ts';
import { type Store, statement } from '../../store/store.ts';
import { type LiveGraph, type LiveGraphDeps, openLiveGraph } from './liveGraph.ts';
import type { GraphView } from './loadView.ts';

const CLEAR = statement(
  'test.liveGraph.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version',
);

const CHAIN: RiskRecord = {
  node: { id: 'chain:base', label: 'Chain', facts: { name: 'Base', slug: 'base', tvlUsd: 5e9 } },
  edges: [],
};
const PROTOCOL: RiskRecord = {
  node: {
    id: 'protocol:alpha',
    label: 'Protocol',
    facts: { name: 'Alpha Markets', slug: 'alpha', chains: ['base', 'ethereum'] },
  },
  edges: [],
};

/** Every pool contains its round and the number of pools. */
function pools(round: number, count: number): RiskRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    node: {
      id: `pool:base:0x${i}`,
      label: 'Pool',
      facts: {
        name: `Alpha ${i} Round${round}`,
        chain: 'base',
        address: `0x${i}`,
        tvlUsd: 1000 * round,
      },
    },
    edges: [
      { type: 'LIVES_ON', sourceId: `pool:base:0x${i}`, targetId: 'chain:base', weight: 1 },
      { type: 'OPERATED_BY', sourceId: `pool:base:0x${i}`, targetId: 'protocol:alpha', weight: 1 },
    ],
  }));
}

function roundsIn({ search }: GraphView): Set<string> {
  const rounds = new Set<string>();
  for (let node = 0; node < search.size; node++) {
    const { label, name } = search.hitAt(node);
    if (label === 'Pool') rounds.add(name.split(' ')[2]!);
  }
  return rounds;
}

describeAnyEngine('liveGraph', (open) => {
  let graph: LiveGraph | undefined;
  afterEach(async () => {
    await graph?.stop();
    graph = undefined;
  });

  async function start(
    options: Partial<LiveGraphDeps> = {},
  ): Promise<{ store: Store; live: LiveGraph }> {
    const store = await open();
    await store.query(CLEAR);
    const onError = (error: unknown) => expect(error).toBeUndefined();
    graph = await openLiveGraph({ store, now: () => 0, onError, ...options });
    return { store, live: graph };
  }

  async function add(store: Store, records: readonly RiskRecord[], now = 100) {
    const source: RiskSource = 'defillama-pools';
    await applyImport({ store, source, records, now, force: true });
  }

  test('default', async () => {
    const { store, live } = await start();
    expect(live.current.search.size).toBe(0);
    await add(store, [CHAIN, PROTOCOL, ...pools(1, 2)]);
    await live.refresh();
    const { search, adjacency } = live.current;
    const [hit] = search.search({ q: '0x1', limit: 10 });
    expect(hit).toMatchObject({ id: 'pool:base:0x1', network: 'base', value: 1000 });
    expect(search.search({ q: 'alpha markets', limit: 10 })[0]).toMatchObject({
      id: 'protocol:alpha',
      network: 'multichain',
      value: null,
    });
    const node = adjacency.find('pool:base:0X1')!;
    const ids = adjacency.dependenciesOf(node).map(({ target }) => adjacency.idAt(target));
    expect(ids).toEqual(['chain:base', 'protocol:alpha']);
    const [edge] = adjacency.dependenciesOf(node);
    expect(edge).toMatchObject({ type: 'LIVES_ON', lastUpdatedAt: 100 });
    const full = await live.findNode('POOL:base:0x1');
    expect(full?.node.facts).toMatchObject({ name: 'Alpha 1 Round1' });
    const graded = {
      q: '0x1',
      limit: 10,
      grade: { operator: '=', value: full!.graded.grade },
    } as const;
    expect(search.search(graded)).toHaveLength(1);
    expect(full?.graded.breakdown.at(-1)?.question).toBe('Why this grade?');
    expect(full?.sources.name).toBe('defillama-pools');
    expect(await live.findNode('pool:base:0x9')).toBeUndefined();
  });

  test('behavior: notices an import by itself', async () => {
    const { store, live } = await start();
    await add(store, [CHAIN]);
    await expect.poll(() => live.current.search.size, { timeout: 20_000 }).toBe(1);
  });

  test('behavior: readers see one import or the other, never a mixture', async () => {
    const { store, live } = await start({ start: () => startThread('view') });
    await add(store, [CHAIN, PROTOCOL, ...pools(0, 50)]);
    await live.refresh();
    let reading = true;
    const seen = new Set<string>();
    async function read(): Promise<void> {
      while (reading) {
        const view = live.current;
        const rounds = [...roundsIn(view)];
        expect(rounds).toHaveLength(1);
        expect(view.search.size).toBe(52);
        expect(view.adjacency.edges).toBe(100);
        seen.add(rounds[0]!);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const readers = [read(), read()];
    for (let round = 1; round <= 5; round++) {
      await add(store, [CHAIN, PROTOCOL, ...pools(round, 50)], 100 + round);
      // Several at once, like concurrent notifications.
      await Promise.all([live.refresh(), live.refresh(), live.refresh()]);
      expect([...roundsIn(live.current)]).toEqual([`Round${round}`]);
    }
    reading = false;
    await Promise.all(readers);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('behavior: a thread builds the same as in place', async () => {
    const { store, live } = await start();
    await add(store, [CHAIN, PROTOCOL, ...pools(1, 40)]);
    await live.refresh();
    const other = await openLiveGraph({
      store,
      now: () => 0,
      onError: (error) => expect(error).toBeUndefined(),
      start: () => startThread('view'),
    });
    const all = ({ search, adjacency }: GraphView) =>
      Array.from({ length: search.size }, (_, node) => [
        search.hitAt(node),
        adjacency.dependenciesOf(node),
      ]);
    expect(all(other.current)).toEqual(all(live.current));
    expect(other.current.version).toBe(live.current.version);
    await other.stop();
  });

  test('error: a thread that dies leaves the previous view, and the build is retried', async () => {
    let dying = 0;
    const { store, live } = await start({
      onError: (error) => expect(error).toBeInstanceOf(RiskThreadEnded),
      start() {
        const thread = startThread('view');
        // A row that makes the thread fail.
        if (dying-- > 0)
          thread.call('addNodes', [null as unknown as SearchDoc]).catch(() => undefined);
        return thread;
      },
    });
    await add(store, [CHAIN, PROTOCOL, ...pools(1, 3)]);
    await live.refresh();
    const before = live.current;
    expect([...roundsIn(before)]).toEqual(['Round1']);
    dying = Number.POSITIVE_INFINITY;
    await add(store, [CHAIN, PROTOCOL, ...pools(2, 3)], 200);
    await expect(live.refresh()).rejects.toThrow(RiskThreadEnded);
    expect(live.current).toBe(before);
    dying = 1;
    await live.refresh();
    expect([...roundsIn(live.current)]).toEqual(['Round2']);
  });
});
