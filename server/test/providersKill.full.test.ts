import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProfileName, type Provider, serveProvider } from '../../devnet/src/index.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { gaps } from '../src/store/gaps/gaps.ts';
import { sources } from '../src/store/sources/sources.ts';
import { createRandom } from './activity.ts';
import { type AssayProcess, startAssay } from './assayProcess.ts';
import { type Engine, type TestDatabase, withDatabase } from './database.ts';
import { indexUndisturbed, type Reference } from './faultRun.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { scaled } from './providers.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 27);
const KILLS = LONG ? 20 : 4;
/** Maximum requests of one run: all runs before the last together send only part of a backfill's requests. */
const MAX_REQUESTS = LONG ? 60 : 120;
const CHAIN = { finality: { depth: 25 }, logRange: 1_000, timeoutSeconds: 5, pollSeconds: 0.1 };
/** One tick interval, because a URL that lags lets a chain be followed live from an earlier block, with finer ticks. */
const TICKS = { liveSeconds: 3_600, backfillSeconds: 3_600 };
/** Pool values that are read only in the last hour before the head. */
const AT_HEAD = ['available_liquidity', 'stated_rate', 'reward_per_year'];
const SCALE = { depth: 40, range: 20 };
const SPEED = 20;

const PLANS: readonly (readonly [ProfileName, Engine])[] = LONG
  ? [
      ['chainstack-free', 'postgres'],
      ['chainstack-free', 'pglite'],
      ['reth-pruned', 'postgres'],
      ['alchemy-free', 'pglite'],
    ]
  : [['chainstack-free', 'postgres']];

let served: ServedWorld;
let undisturbed: Reference;
beforeAll(async () => {
  served = await serveWorld({ seed: `providers kill ${SEED}` });
  undisturbed = await indexUndisturbed(served, { chain: CHAIN, ticks: TICKS });
});
afterAll(async () => {
  await undisturbed?.drop();
  await served?.close();
});

describe(`an indexer on a plan, ended by kill -9 (seed ${SEED})`, () => {
  test.each(PLANS)(
    '%s on %s',
    async (name, engine) => {
      const random = createRandom(SEED + name.length);
      const providers = new Map<number, Provider>();
      const started: AssayProcess[] = [];
      try {
        for (const chainId of served.heads().keys()) {
          const target = served.urlOf(chainId);
          const profile = scaled(name, SCALE);
          providers.set(
            chainId,
            await serveProvider({ profile, target, speed: SPEED, seed: chainId }),
          );
        }
        const rpc = Object.fromEntries(
          [...providers].map(([id, { url }]) => [id, [url, served.urlOf(id)]]),
        );
        const options = { chain: CHAIN, ticks: TICKS, rpc };
        await withDatabase(engine, async (database) => {
          const file = join(database.config.folder, 'world.yaml');
          await writeFile(file, served.yaml({ ...options, storeFolder: database.config.folder }));
          for (let kill = 0; kill < KILLS; kill++) {
            const assay = start(database, file);
            started.push(assay);
            const wanted = requests(providers) + 1 + random.int(MAX_REQUESTS);
            await Promise.race([untilRequests(providers, wanted), assay.failed]);
            // The random delay lets the kill hit a read, a commit, or a pause.
            await sleep(random.int(60));
            await assay.kill();
          }
          const store = await database.open();
          const found = await Promise.all(
            [...providers.keys()].map((chainId) => sources.getOfChain(store, chainId)),
          );
          expect(found.flat().some(({ indexedBlock }) => indexedBlock !== null)).toBe(true);
          const last = startIndexing(store, served.config(options));
          try {
            await last.until(
              async (rows) =>
                liveAt(served.heads())(rows) && (await gaps.getAll(store)).length === 0,
              120,
            );
          } finally {
            await last.stop();
          }
          expect(await readRows(store, { without: AT_HEAD })).toEqual(
            await undisturbed.rows({ without: AT_HEAD }),
          );
        });
      } finally {
        await Promise.all(started.map((assay) => assay.kill()));
        for (const provider of providers.values()) await provider.close();
      }
    },
    KILLS * 60_000,
  );
});

function start(database: TestDatabase, file: string): AssayProcess {
  const { databaseUrl } = database.config;
  if (databaseUrl === undefined) return startAssay('start', file);
  return startAssay('index', file, { DATABASE_URL: databaseUrl });
}

function requests(providers: ReadonlyMap<number, Provider>): number {
  return [...providers.values()].reduce((sum, provider) => sum + provider.counts().requests, 0);
}

async function untilRequests(
  providers: ReadonlyMap<number, Provider>,
  wanted: number,
): Promise<void> {
  while (requests(providers) < wanted) await sleep(5);
}
