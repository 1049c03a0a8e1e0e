import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveProvider, step } from '../../../../devnet/src/index.ts';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { createRandom, type Random } from '../../../test/activity.ts';
import { createDatabase, type Engine, type TestDatabase } from '../../../test/database.ts';
import { chainlinkFeeds, type FeedKit, ownFeeds, priceOnChain } from '../../../test/feedKit.ts';
import { type Indexing, startIndexing } from '../../../test/indexing.ts';
import { ARCHIVE, stateOf } from '../../../test/providers.ts';
import { usePackages } from '../../../test/realVaults/packageCode.ts';
import { readRows } from '../../../test/tableRows.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Address } from '../../domain/hex.ts';
import { blocks } from '../../store/blocks/blocks.ts';
import { chains } from '../../store/chains/chains.ts';
import { getSourceStates } from '../../store/sources/sourceStates.ts';
import type { Store } from '../../store/store.ts';

const CHAIN = 8453;
const FAMILY = 'svcusd';
const MAX_AGE = 3 * 3600;
const SEED = Number(process.env.ASSAY_SEED ?? 20_260_917);

/** Creates chains with a feed behind a proxy, to which any event can happen. */
async function createScene(seed: number, kit: (world: ServedWorld) => Promise<FeedKit>) {
  const random = createRandom(seed);
  const served = await serveWorld({ seed: `feeds ${seed}`, chainIds: [CHAIN], families: [FAMILY] });
  const { chain } = served.world.chain(CHAIN);
  const feeds = await kit(served);
  const aggregators: Address[] = [];
  // If the proxy does not number its phases, only a change to a new aggregator is detected.
  const count = feeds.counts ? 3 : 40;
  for (let i = 0; i < count; i++) aggregators.push(await feeds.createAggregator());
  let present = 0;
  await feeds.publish(aggregators[0]!, 1_000_000_000n);
  await chain.mine(chain.tip.time + 600);
  // The proxy exists before it is read: the answer valid at the first block is older.
  const proxy = await feeds.createProxy(aggregators[0]!);
  const startBlock = chain.tip.number + 1;

  /** Mines one block with random events. */
  async function act(draw: Random): Promise<void> {
    const any = () => aggregators[(present + draw.int(3)) % aggregators.length]!;
    const next = () => (feeds.counts ? any() : aggregators[++present % aggregators.length]!);
    const moves = draw.int(3);
    for (let i = 0; i < moves; i++) {
      const kind = draw.int(8);
      if (kind === 0) await feeds.change(proxy, next());
      else if (kind === 1) await feeds.publish(any(), BigInt(-draw.int(2)));
      else await feeds.publish(any(), BigInt(100_000_000 + draw.int(100_000_000)));
    }
  }

  const nextTime = (draw: Random) => (draw.int(25) === 0 ? MAX_AGE + 900 : 60 + draw.int(900));

  async function grow(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await act(random);
      const time = chain.tip.time + nextTime(random);
      if (random.int(4) === 0) await step(served.world, CHAIN, time);
      else await chain.mine(time);
    }
  }

  return {
    served,
    chain,
    proxy,
    feeds,
    aggregators,
    grow,
    async reorg(depth: number, count: number) {
      let time = chain.tip.time - depth * 60;
      await chain.reorg({
        depth,
        blocks: Array.from({ length: count }, () => {
          time += nextTime(random);
          return { timestamp: time, fill: () => act(random) };
        }),
      });
    },
    config: (url?: string) =>
      served.config({
        ticks: { liveSeconds: 300, backfillSeconds: 900 },
        chain: { finality: { depth: 40 }, logRange: 30 },
        ...(url && { rpc: { [CHAIN]: [url] } }),
        edit(file) {
          file.prices.maxAgeSeconds = MAX_AGE;
          file.prices.feeds = { usd: { aggregator: proxy, chain: CHAIN, startBlock } };
          for (const family of file.families) family.priceFeed = 'usd';
        },
      }),
    /** Compares every tick and deposit from the feed's first block on with calls of the proxy. */
    async compare(store: Store, since = startBlock) {
      const times: number[] = [];
      for (let block = 0; block <= chain.tip.number; block++) {
        const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
          `0x${block.toString(16)}`,
          false,
        ]);
        times.push(Number(timestamp));
      }
      const rows = await readRows(store, { tables: ['tick', 'history'] });
      const ticks = rows.tick!.map((text) => JSON.parse(text) as Priced);
      const deposits = rows
        .history!.map((text) => JSON.parse(text) as Deposit)
        .filter(({ type }) => type === 1)
        .map(({ block_time, assets, usd }) => ({ at: block_time, tvl: assets, usd }));
      const wrong: string[] = [];
      let [priced, unpriced] = [0, 0];
      // The newest second may not be complete.
      for (const { at, tvl, usd } of [...ticks, ...deposits]) {
        if (at < times[since]! || at >= times.at(-1)!) continue;
        const block = times.findLastIndex((time) => time <= at);
        const price = await priceOnChain(chain, proxy, block, at, MAX_AGE);
        const expected =
          price === null ? null : Number(BigInt(tvl) * price.value) / 10 ** (6 + price.decimals);
        const close =
          usd === null || expected === null
            ? usd === expected
            : Math.abs(usd - expected) <= expected * 1e-9;
        if (!close) wrong.push(`${at} at block ${block}: ${usd} instead of ${expected}`);
        if (usd === null) unpriced++;
        else priced++;
      }
      return { wrong, priced, unpriced, deposits: deposits.length };
    },
  };
}

interface Priced {
  readonly at: number;
  readonly tvl: string;
  readonly usd: number | null;
}

interface Deposit {
  readonly type: number;
  readonly block_time: number;
  readonly assets: string;
  readonly usd: number | null;
}

type Scene = Awaited<ReturnType<typeof createScene>>;

async function caughtUp(indexing: Indexing, { chain }: Scene): Promise<void> {
  const { hash } = await chain.head();
  await indexing.until(async (rows) => {
    if (rows.length === 0 || rows.some(({ state }) => state !== 'live')) return false;
    return (await blocks.getOfChain(indexing.store, CHAIN)).at(-1)?.hash === hash;
  });
}

const KITS = [
  { kit: 'a proxy with phases', create: (served: ServedWorld) => own(served, 'PhasedFeedProxy') },
  { kit: 'a proxy without phases', create: (served: ServedWorld) => own(served, 'FeedProxy') },
  {
    kit: 'Chainlink',
    create: ({ world }: ServedWorld) =>
      chainlinkFeeds(world.chain(CHAIN).chain, world.operator.address),
  },
  // Its package must be downloaded and compiled.
].filter(({ kit }) => FULL || kit !== 'Chainlink');

function own({ world }: ServedWorld, proxy: 'PhasedFeedProxy' | 'FeedProxy') {
  return ownFeeds(world.chain(CHAIN).chain, world.operator.address, proxy);
}

for (const { kit, create } of KITS) {
  describe(`prices behind ${kit} (seed ${SEED})`, () => {
    const engine: Engine = kit === 'Chainlink' ? 'postgres' : 'pglite';
    if (kit === 'Chainlink') usePackages('chainlink');
    let scene: Scene;
    let database: TestDatabase;
    let store: Store;
    let indexing: Indexing;

    beforeAll(async () => {
      scene = await createScene(SEED, create);
      await scene.grow(120);
      database = await createDatabase(engine);
      store = await database.open();
      indexing = startIndexing(store, scene.config());
      await caughtUp(indexing, scene);
    });
    afterAll(async () => {
      await indexing?.stop();
      await database?.drop();
      await scene?.served.close();
    });

    async function expectTruth(): Promise<void> {
      await caughtUp(indexing, scene);
      const found = await scene.compare(store);
      expect(found.wrong.slice(0, 10)).toEqual([]);
      expect(Math.min(found.priced, found.unpriced)).toBeGreaterThan(10);
    }

    test('default', async () => {
      await expectTruth();
      const phases = await readPhases(store);
      expect(phases.length).toBeGreaterThan(3);
      expect(phases.every(({ located }) => located)).toBe(true);
    });

    test('behavior: changes while it runs, also to an unknown aggregator', async () => {
      for (let i = 0; i < 4; i++) {
        if (i === 1) {
          const next = await scene.feeds.createAggregator();
          await scene.feeds.publish(next, 150_000_000n);
          await scene.feeds.change(scene.proxy, next);
          await scene.feeds.publish(next, 160_000_000n);
        }
        await scene.grow(10);
        await caughtUp(indexing, scene);
      }
      await expectTruth();
    });

    test('behavior: reorgs across aggregator changes', async () => {
      for (const [depth, count] of [
        [20, 12],
        [9, 20],
        [15, 15],
      ] as const) {
        await scene.reorg(depth, count);
        await scene.grow(2);
        await expectTruth();
      }
    });

    test('behavior: a restart continues from the store', async () => {
      await indexing.stop();
      const before = await readPhases(store);
      await scene.grow(30);
      indexing = startIndexing(store, scene.config());
      await expectTruth();
      expect((await readPhases(store)).slice(0, before.length)).toEqual(before);
    });
  });
}

describe('a node without an archive', () => {
  test('behavior: reports the blocks without an aggregator, and fills them in from an archive', async () => {
    const scene = await createScene(SEED + 1, (served) => own(served, 'PhasedFeedProxy'));
    const database = await createDatabase('pglite');
    const target = scene.served.urlOf(CHAIN);
    const node = await serveProvider({ profile: ARCHIVE, target });
    try {
      await scene.grow(90);
      node.control.setDepth(stateOf(60));
      const store = await database.open();
      const first = startIndexing(store, scene.config(node.url));
      await caughtUp(first, scene);
      await scene.grow(10);
      await caughtUp(first, scene);
      const unlocated = (await readPhases(store)).findLast(({ located }) => !located)!;
      expect(unlocated.aggregator).not.toBeNull();
      const found = await scene.compare(store, unlocated.block_number);
      expect(found.wrong.slice(0, 10)).toEqual([]);
      expect(found.priced).toBeGreaterThan(10);
      const [row] = await chains.getAll(store);
      expect(row?.error).toMatch(/^feed:usd on chain 8453: .*before block \d+.* archive node$/);
      await first.stop();

      node.control.setDepth(null);
      await scene.grow(1);
      const second = startIndexing(store, scene.config(node.url));
      await caughtUp(second, scene);
      // The feed is indexed from scratch, behind the head.
      const behind = async () => (await getSourceStates(store)).filter((source) => source.behind);
      await expect.poll(behind).toEqual([]);
      await second.stop();
      expect((await readPhases(store)).every(({ located }) => located)).toBe(true);
      expect((await chains.getAll(store))[0]?.error).toBeNull();
      // Unreadable states made no ticks; all existing ticks have prices now.
      const whole = await scene.compare(store);
      expect(whole.wrong.slice(0, 10)).toEqual([]);
      expect(whole.deposits).toBeGreaterThan(0);
    } finally {
      await node.close();
      await database.drop();
      await scene.served.close();
    }
  });
});

interface PhaseRow {
  readonly block_number: number;
  readonly aggregator: string | null;
  readonly located: boolean;
}

async function readPhases(store: Store): Promise<PhaseRow[]> {
  const { feed_phase } = await readRows(store, { tables: ['feed_phase'] });
  return feed_phase!
    .map((text) => JSON.parse(text) as PhaseRow)
    .sort((a, b) => a.block_number - b.block_number);
}
