import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import type { Config } from '../src/config/config.ts';
import { pause } from '../src/runtime/pause.ts';
import { blocks } from '../src/store/blocks/blocks.ts';
import { chains as chainRows } from '../src/store/chains/chains.ts';
import { type Store, statement } from '../src/store/store.ts';
import { createRandom, mineBlocks, reorg } from './activity.ts';
import { describeEachEngine } from './database.ts';
import { type Consumer, startPoller, startStreamReader } from './eventConsumers.ts';
import { startIndexerProcess, startServerProcess } from './eventProcess.ts';
import { type EventServer, startEventServer } from './eventServer.ts';
import { startEventSource } from './eventSourceConsumer.ts';
import { startIndexing } from './indexing.ts';
import { startWebhookReceiver } from './webhookReceiver.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_118);
const ROUNDS = Number(process.env.ASSAY_ROUNDS ?? (LONG ? 100 : 10));
const FINALITY = 12;

const sharePrices = statement(
  'test.events.sharePrices',
  `select s.chain_id || '-' || s.block_number || '-' || s.log_index || '-' || f.slug as id, s.price from share_price s
   join family f using (family_id)`,
);
const pools = statement(
  'test.events.pools',
  `select p.chain_id || '-' || p.block_number || '-' || p.log_index || '-' || f.slug as id, p.offchain_id as "offchainId",
     p.status, p.risk_score as "riskScore", p.idle_only as "idleOnly" from pool p join family f using (family_id) where not p.found`,
);
const ticks = statement(
  'test.events.ticks',
  `select f.slug || '-' || t.at as id, t.tvl, t.assets_per_share as "assetsPerShare", t.total_shares as "totalShares", t.usd,
     t.apy_7d as "apy7d" from tick t join family f using (family_id) where not t.imported`,
);
const outages = statement(
  'test.events.outages',
  `select o.chain_id || '-' || o.block_number || '-' || o.log_index || '-' || f.slug as id, o.feed, p.value is not null as ended
   from price_outage o join family f using (family_id)
   join price p on p.feed = o.feed and p.block_number = o.block_number and p.log_index = o.log_index and p.chain_id = o.chain_id`,
);
/** Reads the indexer's tables, not the announced events. */
const states = statement(
  'test.events.states',
  `select c.chain_id::text as id, c.state, 0 as gaps from chain c
   union all
   select s.chain_id || '-' || f.slug, case when s.error is null then 'current' else 'halted' end,
     (select count(*)::int from gap g where g.family_id = s.family_id and g.chain_id = s.chain_id)
   from source s join family f using (family_id)`,
);
const finals = statement(
  'test.events.finals',
  'select chain_id as "chainId", final_block as "finalBlock" from event_chain',
);

describeEachEngine(`consumers of events (seed ${SEED})`, (open, database) => {
  const random = createRandom(SEED);
  let served: ServedWorld;
  let config: Config;
  let store: Store;
  let indexing: { stop(): Promise<void> } | undefined;
  let server: EventServer;
  const consumers: Consumer[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    served = await serveWorld({ seed: `events ${SEED}` });
    const webhooks = [];
    for (const delivery of ['applied', 'final'] as const) {
      const name = `webhook of ${delivery} events`;
      const receiver = await startWebhookReceiver({ name, respond: () => faults(random) });
      consumers.push(receiver);
      webhooks.push({ ...receiver.endpoint, name: `hook-${delivery}`, delivery });
    }
    const edit = (file: object) => Object.assign(file, { events: { ticks: true } });
    const chain = { finality: { depth: FINALITY }, pollSeconds: 0.1 };
    config = { ...served.config({ chain, edit }), webhooks };
    store = await open();
    server = await startServer();
    indexing = await startIndexer();
    const url = () => server.url;
    for (const delivery of ['applied', 'final'] as const) {
      consumers.push(startPoller({ url, delivery, random: createRandom(random.int(1e9)) }));
      consumers.push(startStreamReader({ url, delivery, random }));
      consumers.push(await startEventSource({ url, delivery }));
    }
    await caughtUp();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await indexing?.stop();
    await server?.close();
    await served?.close();
  }, 60_000);

  test('default: the first backfill', expectRows, 60_000);

  test(
    `behavior: ${ROUNDS} rounds of reorgs, killed clients, and killed or restarted servers`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const chains = served.world.chains.map(({ chainId }) => chainId);
        await Promise.all([
          ...chains.map((chainId) => live(chainId, random.int(1e9))),
          disturb(random.int(1e9)),
        ]);
        await caughtUp();
        await expectRows();
      }
      for (const consumer of consumers.filter(({ name }) => name.includes('applied'))) {
        expect(consumer.retracted(), consumer.name).toBeGreaterThan(0);
      }
      expect(errors).toEqual([]);
    },
    ROUNDS * 60_000,
  );

  test('behavior: a family reindexed from its first block', async () => {
    await indexing?.stop();
    const [first, ...others] = config.families;
    const moved = first!.chains.map((chain) => ({ ...chain, startBlock: chain.startBlock + 1 }));
    const before = config;
    const retracted = consumers[0]!.retracted();
    config = { ...config, families: [{ ...first!, chains: moved }, ...others] };
    indexing = await startIndexer();
    await expect
      .poll(() => consumers[0]!.retracted(), { timeout: 30_000 })
      .toBeGreaterThan(retracted);
    await caughtUp();
    await expectRows();
    config = before;
  }, 120_000);

  test('error: cursors of another feed', async () => {
    const get = async (query: string) => {
      const response = await fetch(`${server.url}/v1/events?${query}`);
      const body = (await response.json()) as { cursor: string };
      return { status: response.status, body };
    };
    expect(await get('after=nonsense')).toMatchObject({ status: 400 });
    expect(await get('types=nonsense')).toMatchObject({ status: 400 });
    expect(await get('family=nonsense')).toMatchObject({ status: 404 });
    const { body } = await get('after=latest');
    expect(await get(`after=${body.cursor}`)).toMatchObject({ status: 200, body: { events: [] } });
    // Simulates a failover that lost the newest commits and reused their numbers.
    await store.query(retag);
    expect(await get(`after=${body.cursor}`)).toMatchObject({
      status: 410,
      body: { code: 'cursor_gone' },
    });
  });

  /** Mines some blocks, sometimes with a reorg. */
  async function live(chainId: number, seed: number): Promise<void> {
    const own = createRandom(seed);
    await mineBlocks(served.world, chainId, 1 + own.int(4), own);
    if (own.int(3) > 0) {
      const depth = 1 + own.int(FINALITY - 2);
      await reorg(served.world, chainId, { depth, newBlocks: depth + 1 + own.int(2) }, own);
    }
    await mineBlocks(served.world, chainId, own.int(4), own);
  }

  async function disturb(seed: number): Promise<void> {
    const own = createRandom(seed);
    const [moment, isServer] = [own.int(4), own.int(2) === 0];
    for (let i = 0; i < 4; i++) {
      own.pick(consumers).kill();
      await new Promise((resolve) => setTimeout(resolve, own.int(150)));
      // A process takes a second to start, so one is killed per round.
      const [restartsServer, restartsIndexer] = hasProcesses()
        ? [i === moment && isServer, i === moment && !isServer]
        : [own.int(3) === 0, own.int(3) === 0];
      if (restartsServer) {
        await server.close();
        server = await startServer();
      }
      if (restartsIndexer) {
        await indexing!.stop();
        indexing = await startIndexer();
      }
    }
  }

  /** On PostgreSQL, the server and the indexer are processes, and `kill -9` ends them. Only one process can use PGlite. */
  function hasProcesses(): boolean {
    return database().engine === 'postgres';
  }

  function startServer(): Promise<EventServer> {
    const options = { config, store: database().config };
    if (hasProcesses()) return startServerProcess(options, onError);
    return startEventServer({ config, store, onError });
  }

  async function startIndexer() {
    const options = { config, store: database().config };
    return hasProcesses() ? startIndexerProcess(options, onError) : startIndexing(store, config);
  }

  function onError(error: unknown): void {
    errors.push(error);
  }

  async function caughtUp(): Promise<void> {
    const heads = new Map<number, string>();
    for (const { chainId, chain } of served.world.chains) {
      heads.set(chainId, (await chain.head()).hash);
    }
    const isThere = async () => {
      const rows = await chainRows.getAll(store);
      if (rows.length < heads.size || rows.some(({ state }) => state !== 'live')) return false;
      for (const [chainId, hash] of heads) {
        if ((await blocks.getOfChain(store, chainId)).at(-1)?.hash !== hash) return false;
      }
      return true;
    };
    const end = performance.now() + 60_000;
    while (!(await isThere())) {
      if (performance.now() > end) throw new Error('the indexer does not reach the heads');
      await pause(50, new AbortController().signal);
    }
  }

  /** Expects every consumer to end with the API's rows: those of final blocks, or all of them. */
  async function expectRows(): Promise<void> {
    for (const consumer of consumers) {
      const isWanted = consumer.name.includes('final') ? await loadIsFinal() : () => true;
      const compare = async () => {
        const right = [...(await servedRows())].filter(([key]) => isWanted(key));
        return differences(consumer.rows(), new Map(right));
      };
      await untilEqual(consumer, compare);
      expect(consumer.rows().size).toBeGreaterThan(0);
    }
  }

  /** Waits as long as the consumer reads on: after many rounds, thousands of events are retracted and read again. */
  async function untilEqual(
    consumer: Consumer,
    compare: () => Promise<readonly string[]>,
  ): Promise<void> {
    for (;;) {
      const before = consumer.written();
      try {
        return await expect.poll(compare, { timeout: 30_000, message: consumer.name }).toEqual([]);
      } catch (error) {
        if (consumer.written() === before) throw error;
      }
    }
  }

  async function loadIsFinal() {
    const rows = await store.query<{ chainId: number; finalBlock: number }>(finals);
    const finalOf = new Map(rows.map(({ chainId, finalBlock }) => [chainId, finalBlock]));
    return (key: string) => {
      if (key.startsWith('tick ')) return false;
      if (key.startsWith('state ')) return true;
      const [chainId, block] = key.split(' ')[1]!.split('-').map(Number) as [number, number];
      return block <= finalOf.get(chainId)!;
    };
  }

  async function servedRows(): Promise<Map<string, unknown>> {
    const rows = new Map<string, unknown>();
    let cursor = '';
    do {
      const page = (await (
        await fetch(`${server.url}/v1/history?limit=500${cursor && `&cursor=${cursor}`}`)
      ).json()) as { items: { id: string }[]; nextCursor: string | null };
      for (const item of page.items) rows.set(`history ${item.id}`, item);
      cursor = page.nextCursor ?? '';
    } while (cursor !== '');
    for (const { id, price } of await store.query<{ id: string; price: bigint }>(sharePrices)) {
      rows.set(`share-price ${id}`, { assetsPerShare: `${price}` });
    }
    for (const { id, ...pool } of await store.query<{ id: string; status: number }>(pools)) {
      rows.set(`pool ${id}`, { ...pool, status: ['removed', 'active', 'exit-only'][pool.status] });
    }
    for (const { id, ...tick } of await store.query<Served>(ticks)) {
      const amounts = Object.entries(tick).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? `${value}` : value,
      ]);
      rows.set(`tick ${id}`, Object.fromEntries(amounts));
    }
    for (const { id, ...outage } of await store.query<Served>(outages)) {
      rows.set(`price-outage ${id}`, outage);
    }
    for (const { id, ...state } of await store.query<Served>(states))
      rows.set(`state ${id}`, state);
    return rows;
  }
});

type Served = Readonly<Record<string, unknown>> & { readonly id: string };

const retag = statement(
  'test.events.retag',
  'update event_batch set tag = tag + 1 where seq = (select seq from event_head)',
);

/** Mostly accepts; sometimes the response is an error, is lost after the events were stored, or never comes. */
function faults(random: ReturnType<typeof createRandom>) {
  return random.pick([
    'ok',
    'ok',
    'ok',
    'ok',
    'ok',
    'error',
    'error',
    'lost',
    'lost',
    'hang',
  ] as const);
}

function differences(
  found: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
): string[] {
  const keys = [...new Set([...found.keys(), ...right.keys()])];
  const sortedText = (value: unknown) =>
    value === undefined ? 'absent' : JSON.stringify(Object.entries(value as object).sort());
  return keys
    .filter((key) => sortedText(found.get(key)) !== sortedText(right.get(key)))
    .map((key) => `${key}: ${sortedText(found.get(key))} instead of ${sortedText(right.get(key))}`)
    .slice(0, 5);
}
