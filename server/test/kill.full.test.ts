import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../scripts/test/extents.mjs';
import { chains } from '../src/store/chains/chains.ts';
import { createRandom, mineBlocks, type Random, reorg } from './activity.ts';
import { type AssayProcess, startAssay } from './assayProcess.ts';
import { type CountedRpc, serveCounted } from './countedRpc.ts';
import { enginesFor, type TestDatabase, withDatabase } from './database.ts';
import { compareStore } from './oracle.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 4_626);
const KILLS = LONG ? 20 : FULL ? 4 : 2;
const TIMEOUT_MS = 60_000;
const TICKS = { liveSeconds: 60, backfillSeconds: 3600 };
/** Many small steps, so that a kill can hit during or between steps. */
const CHAIN = { logRange: 7, concurrency: 2, pollSeconds: 0.1, finality: { depth: 64 } };

describe.each(enginesFor('kill'))(`kill -9 on %s (seed ${SEED})`, (engine) => {
  let served: ServedWorld;
  let rpc: CountedRpc;
  const random = createRandom(SEED + engine.length);
  const started: AssayProcess[] = [];

  beforeAll(async () => {
    served = await serveWorld({ seed: `kill ${SEED} ${engine}` });
    rpc = await serveCounted(served.world.chains.map(({ chain }) => chain));
  });
  afterAll(async () => {
    await Promise.all(started.map((assay) => assay.kill()));
    await rpc?.close();
    await served?.close();
  });

  test(
    `default: ${KILLS} kills`,
    () =>
      withDatabase(engine, async (database) => {
        const options = { ticks: TICKS, chain: CHAIN, rpc: rpc.urls };
        const file = join(database.config.folder, 'world.yaml');
        const storeFolder = database.config.folder;
        await writeFile(file, served.yaml({ ...options, storeFolder }));
        const backfilling = Math.ceil(KILLS / 2);
        for (let kill = 0; kill < backfilling; kill++) {
          await killAfter(1 + random.int(Math.ceil(400 / backfilling)));
        }
        await liveOnce();
        const liveSince = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time));
        const life = keepChainsAlive(served, random);
        try {
          for (let kill = backfilling; kill < KILLS; kill++) await killAfter(1 + random.int(300));
        } finally {
          await life.stop();
        }
        // Mines above every indexed block, so only an indexer that has read the chains again is up to date.
        for (const { chainId } of served.world.chains) {
          await mineBlocks(served.world, chainId, 1, random);
        }
        await liveOnce();
        const store = await database.open();
        const config = served.config(options);
        const found = await compareStore(store, served.world, config, { liveSince });
        expect(found.slice(0, 20), `seed ${SEED}`).toEqual([]);

        /** Runs the indexer and kills it shortly after this many requests. */
        async function killAfter(requests: number): Promise<void> {
          const assay = start(database, file);
          started.push(assay);
          await Promise.race([rpc.after(requests), assay.failed]);
          // The random delay lets the kill hit a read, a commit, or a pause.
          await sleep(random.int(60));
          await assay.kill();
        }

        /** Lets the indexer reach the heads without faults, and then kills it too. */
        async function liveOnce(): Promise<void> {
          const assay = start(database, file);
          started.push(assay);
          await Promise.race([untilLive(database, assay, served), assay.failed]);
          await assay.kill();
        }
      }),
    Math.max(4, KILLS) * 30_000,
  );
});

function start(database: TestDatabase, file: string): AssayProcess {
  const { databaseUrl } = database.config;
  if (databaseUrl === undefined) return startAssay('start', file);
  return startAssay('index', file, { DATABASE_URL: databaseUrl });
}

interface ChainStatus {
  readonly chainId: number;
  readonly state: string;
  readonly indexedBlock: number | string | null;
}

async function untilLive(
  database: TestDatabase,
  assay: AssayProcess,
  served: ServedWorld,
): Promise<void> {
  const readChains = await statusReader(database, assay);
  const heads = served.heads();
  const isThere = ({ chainId, state, indexedBlock }: ChainStatus) =>
    state === 'live' && Number(indexedBlock) === heads.get(chainId);
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const rows = await readChains();
    if (rows.length === heads.size && rows.every(isThere)) return;
    if (performance.now() > end) throw new Error(`still not there: ${JSON.stringify(rows)}`);
    await sleep(50);
  }
}

/** Only one process can open the embedded database, so there the API is read. */
async function statusReader(
  database: TestDatabase,
  assay: AssayProcess,
): Promise<() => Promise<readonly ChainStatus[]>> {
  if (database.engine === 'postgres') {
    const store = await database.open();
    return () => chains.getAll(store);
  }
  const port = await assay.port;
  return async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`);
    return ((await response.json()) as { chains: ChainStatus[] }).chains;
  };
}

/** Adds blocks and small reorgs on every chain until stopped. */
function keepChainsAlive({ world }: ServedWorld, random: Random) {
  let stopped = false;
  async function live(): Promise<void> {
    while (!stopped) {
      const { chainId } = random.pick(world.chains);
      await mineBlocks(world, chainId, 1, random);
      if (random.int(6) === 0) {
        const depth = 1 + random.int(6);
        await reorg(world, chainId, { depth, newBlocks: depth + random.int(2) }, random);
      }
      await sleep(100);
    }
  }
  const running = live();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
