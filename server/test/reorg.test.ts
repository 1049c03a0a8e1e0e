import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../scripts/test/extents.mjs';
import type { Config } from '../src/config/config.ts';
import type { IngestLog } from '../src/ingest/ingestLog.ts';
import { blocks } from '../src/store/blocks/blocks.ts';
import type { Store } from '../src/store/store.ts';
import { createRandom, mineBlocks, type Random, reorg } from './activity.ts';
import { createDatabase, enginesFor, type TestDatabase } from './database.ts';
import { type Indexing, startIndexing } from './indexing.ts';
import { compareStore } from './oracle.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_260_801);
const FINALITY = 64;

type Way = 'longer' | 'equal' | 'shorter';
interface Case {
  readonly depth: number;
  readonly way: Way;
  readonly indexer: 'running' | 'stopped';
}

const WAYS: readonly Way[] = ['longer', 'equal', 'shorter'];

/** Returns every depth, both while running and while stopped; in a short run, a sample with both ends. */
function chooseCases(): Case[] {
  const all = Array.from({ length: FINALITY }, (_, i) => i + 1).flatMap((depth) => [
    { depth, way: WAYS[depth % 3]!, indexer: 'running' as const },
    { depth, way: WAYS[(depth + 1) % 3]!, indexer: 'stopped' as const },
  ]);
  if (LONG) return all;
  const random = createRandom(SEED);
  const sample = Array.from({ length: 2 }, () => 2 + random.int(FINALITY - 2));
  const between: readonly Case[] = [
    { depth: sample[0]!, way: 'longer', indexer: 'stopped' },
    { depth: sample[1]!, way: 'shorter', indexer: 'running' },
  ];
  return [
    { depth: 1, way: 'equal', indexer: 'running' },
    ...(FULL ? between : []),
    { depth: FINALITY, way: 'shorter', indexer: 'stopped' },
    { depth: 2 + random.int(8), way: 'equal', indexer: 'stopped' },
    { depth: FINALITY, way: 'longer', indexer: 'running' },
  ];
}

describe(`reorgs (seed ${SEED})`, () => {
  const random: Random = createRandom(SEED);
  /** The highest block that an indexer may have read per chain: blocks 64 below it are final. */
  const highest = new Map<number, number>();
  let served: ServedWorld;
  let config: Config;
  let databases: TestDatabase[] = [];
  let stores: Store[] = [];
  /** Indexers on every engine follow the same chains. */
  let indexing: Indexing[] = [];
  let liveSince = 0;
  const logged: string[] = [];

  beforeAll(async () => {
    served = await serveWorld({ seed: `reorg ${SEED}` });
    config = served.config({
      ticks: { liveSeconds: 60, backfillSeconds: 3600 },
      chain: { finality: { depth: FINALITY }, pollSeconds: 0.1 },
    });
    databases = await Promise.all(enginesFor('reorg').map(createDatabase));
    stores = await Promise.all(databases.map((database) => database.open()));
    start();
    // Reorgs also happen during the first backfill.
    for (const { chainId, chain } of served.world.chains) {
      highest.set(chainId, chain.tip.number);
      await reorgBy(chainId, { depth: 5 + random.int(40), way: 'shorter' });
    }
    await caughtUp();
    liveSince = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time));
    for (const { chainId } of served.world.chains) await grow(chainId, FINALITY + 4);
    await caughtUp();
  });

  afterAll(async () => {
    await stop();
    await Promise.all(databases.map((database) => database.drop()));
    await served?.close();
  });

  test('default', async () => {
    await expectTruth();
  });

  test.each(chooseCases())('behavior: $depth blocks deep, $way, $indexer', async (given) => {
    const { chains } = served.world;
    const touched = random.int(3) === 0 ? chains : [random.pick(chains)];
    for (const { chainId, chain } of touched) {
      // Final blocks stay final, even if a chain became shorter.
      const lowest = highest.get(chainId)! - FINALITY + given.depth;
      await grow(chainId, Math.max(1, lowest - chain.tip.number));
    }
    if (given.indexer === 'stopped') await stop();
    await Promise.all(touched.map(({ chainId }) => reorgBy(chainId, given)));
    if (given.indexer === 'stopped') start();
    await caughtUp();
    await expectTruth();
  });

  async function reorgBy(
    chainId: number,
    { depth, way }: Pick<Case, 'depth' | 'way'>,
  ): Promise<void> {
    // A separate random stream: concurrent reorgs of two chains must not change each other's activity.
    const own = createRandom(random.int(1e9));
    const other = way === 'longer' ? depth + 1 + random.int(3) : 1 + random.int(depth - 1);
    const newBlocks = way === 'equal' || depth === 1 ? depth : other;
    await reorg(served.world, chainId, { depth, newBlocks }, own);
    note(chainId);
  }

  function start(): void {
    indexing = stores.map((store) => startIndexing(store, config, watching(store)));
  }

  /** Records the indexer's log lines, for debugging a failed test. */
  function watching(store: Store): IngestLog {
    const tell = (fields: object, message: string) =>
      void logged.push(
        `${store.engine} ${Math.round(performance.now())}: ${message} ${JSON.stringify(fields)}`,
      );
    return { info() {}, warn: tell, error: tell };
  }

  async function stop(): Promise<void> {
    await Promise.all(indexing.map((one) => one.stop()));
    indexing = [];
  }

  async function grow(chainId: number, count: number): Promise<void> {
    await mineBlocks(served.world, chainId, count, random);
    note(chainId);
  }

  function note(chainId: number): void {
    const { number } = served.world.chain(chainId).chain.tip;
    highest.set(chainId, Math.max(number, highest.get(chainId) ?? 0));
  }

  /** Waits until every chain is live at exactly the head block; an equal number could belong to the old branch. */
  async function caughtUp(): Promise<void> {
    const heads = new Map<number, string>();
    for (const { chainId, chain } of served.world.chains) {
      heads.set(chainId, (await chain.head()).hash);
    }
    for (const one of indexing) {
      await one.until(async (rows) => {
        if (rows.length < heads.size || rows.some(({ state }) => state !== 'live')) return false;
        for (const [chainId, hash] of heads) {
          const ring = await blocks.getOfChain(one.store, chainId);
          if (ring.at(-1)?.hash !== hash) return false;
        }
        return true;
      });
    }
  }

  async function expectTruth(): Promise<void> {
    for (const store of stores) {
      const found = await compareStore(store, served.world, config, { liveSince, shortened: true });
      const said = `${store.engine}, seed ${SEED}; ${logged.slice(-20).join('; ')}`;
      expect(found.slice(0, 20), said).toEqual([]);
    }
    // The RPC endpoints work, so the indexer must never continue without a chain during a reorg.
    expect(logged.filter((line) => /cannot be read|indexing stopped/.test(line))).toEqual([]);
  }
});
