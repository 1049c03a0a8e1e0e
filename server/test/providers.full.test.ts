import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  PROFILE_NAMES,
  type Profile,
  type ProfileName,
  type Provider,
  serveProvider,
  type VariantName,
} from '../../devnet/src/index.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { pause } from '../src/runtime/pause.ts';
import { type Gap, gaps } from '../src/store/gaps/gaps.ts';
import type { Store } from '../src/store/store.ts';
import { createDatabase, type Engine } from './database.ts';
import { indexUndisturbed, type Reference } from './faultRun.ts';
import { type Indexing, liveAt, startIndexing } from './indexing.ts';
import { scaled } from './providers.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const CHAIN = { finality: { depth: 25 }, logRange: 1_000, timeoutSeconds: 5 };
/** One tick interval, because a URL that lags lets a chain be followed live from an earlier block, with finer ticks. */
const TICKS = { liveSeconds: 3_600, backfillSeconds: 3_600 };
/** Pool values that are read only in the last hour before the head. */
const AT_HEAD = ['available_liquidity', 'stated_rate', 'reward_per_year'];
const SCALE = { depth: 40, range: 20 };
const SPEED = 20;
/** Tables that depend only on events. */
const EVENTS = ['history', 'movement', 'position', 'share_price', 'pool', 'price'];

const ALL = Number.POSITIVE_INFINITY;

const PLANS: readonly (readonly [ProfileName, Engine, VariantName | 'as it is'])[] = LONG
  ? [
      ...PROFILE_NAMES.flatMap((name) => [
        [name, 'postgres', 'as it is'] as const,
        [name, 'pglite', 'as it is'] as const,
      ]),
      ['chainstack-free', 'postgres', 'random-429'],
    ]
  : [
      ['chainstack-free', 'postgres', 'as it is'],
      ['reth-pruned', 'pglite', 'as it is'],
    ];

let served: ServedWorld;
let undisturbed: Reference;
beforeAll(async () => {
  served = await serveWorld({ seed: 'providers' });
  undisturbed = await indexUndisturbed(served, { chain: CHAIN, ticks: TICKS });
});
afterAll(async () => {
  await undisturbed?.drop();
  await served?.close();
});

describe('a backfill on the plan', () => {
  test.each(PLANS)(
    '%s on %s, %s',
    async (name, engine, variant) => {
      await withPlan({ name, engine, variant }, async ({ store, index, providers }) => {
        const first = index([...providers].map(([id, { url }]) => [id, [url]]));
        await first.until(
          async (rows) =>
            (await isWaiting(store)) ||
            (liveAt(served.heads())(rows) && (await hasAllEvents(store))),
          120,
        );
        await first.stop();
        const found = await gaps.getAll(store);
        await expectWholeBut(store, found);

        const second = index([...providers].map(([id, { url }]) => [id, [url, served.urlOf(id)]]));
        await second.until(
          async (rows) =>
            liveAt(served.heads())(rows) &&
            (await gaps.getAll(store)).length === 0 &&
            (await hasAllEvents(store)),
          120,
        );
        await second.stop();
        expect(await readRows(store, { without: AT_HEAD })).toEqual(
          await undisturbed.rows({ without: AT_HEAD }),
        );
      });
    },
    600_000,
  );
});

type Disruption = (given: Plan, indexing: Indexing) => Promise<void>;

const pauseFor = (seconds: number) => pause(seconds * 1_000);
const eachProvider = async (given: Plan, work: (provider: Provider) => unknown) => {
  await Promise.all([...given.providers.values()].map(work));
};

const DISRUPTIONS: readonly (readonly [string, Disruption])[] = [
  [
    'goes down for a while',
    async (given) => {
      await eachProvider(given, ({ control }) => control.down(true));
      await pauseFor(3);
      await eachProvider(given, ({ control }) => control.down(false));
    },
  ],
  [
    'loses its archive in the middle, and has it again',
    async (given) => {
      const { store } = given;
      await eachProvider(given, ({ control }) => control.setDepth({ state: 5, logs: ALL }));
      await expect
        .poll(async () => (await gaps.getAll(store)).length, { timeout: 60_000 })
        .toBeGreaterThan(0);
      await eachProvider(given, ({ control }) => control.setDepth(null));
    },
  ],
  [
    'limits every call for a while',
    async (given) => {
      await eachProvider(given, ({ control }) => control.limitAll(true));
      await pauseFor(5);
      await eachProvider(given, ({ control }) => control.limitAll(false));
    },
  ],
];

const SLOW: readonly (readonly [string, Engine, Profile['range']['form']])[] = [
  ['a gateway that gives up', 'postgres', { status: 504, html: '<html>504</html>' }],
  ['the node itself', 'pglite', { status: 200, code: -32002, message: 'request timed out' }],
];

describe('a plan whose wide log ranges time out', () => {
  test.each(SLOW)(
    'reported by %s, on %s',
    async (_, engine, form) => {
      const faults = [{ kind: 'timeout', share: 1, seconds: 1, blocks: 5, form }] as const;
      const plan = { name: 'ankr-freemium', engine, variant: 'as it is', faults } as const;
      await withPlan(plan, async ({ store, index, providers }) => {
        const indexing = index([...providers].map(([id, { url }]) => [id, [url]]));
        await indexing.until(liveAt(served.heads()), 120);
        await indexing.stop();
        expect(await gaps.getAll(store)).toEqual([]);
        expect(await readRows(store, { without: AT_HEAD })).toEqual(
          await undisturbed.rows({ without: AT_HEAD }),
        );
        for (const provider of providers.values()) {
          const { asked, refused } = provider.counts().methods.eth_getLogs!;
          expect(refused).toBeLessThan(asked / 2);
        }
      });
    },
    300_000,
  );
});

describe('an archive plan that', () => {
  test.each(LONG ? DISRUPTIONS : DISRUPTIONS.slice(1, 2))(
    '%s',
    async (_, disrupt) => {
      const plan = { name: 'ankr-freemium', engine: 'postgres', variant: 'as it is' } as const;
      await withPlan(plan, async (given) => {
        const { store, index, providers } = given;
        const indexing = index([...providers].map(([id, { url }]) => [id, [url]]));
        await disrupt(given, indexing);
        await indexing.until(
          async (rows) => liveAt(served.heads())(rows) && (await gaps.getAll(store)).length === 0,
          120,
        );
        await indexing.stop();
        expect(await readRows(store, { without: AT_HEAD })).toEqual(
          await undisturbed.rows({ without: AT_HEAD }),
        );
      });
    },
    300_000,
  );

  test.runIf(LONG)(
    'is read by an indexer that is stopped again and again',
    async () => {
      const plan = { name: 'chainstack-free', engine: 'postgres', variant: 'as it is' } as const;
      await withPlan(plan, async ({ store, index, providers }) => {
        const urls = () =>
          [...providers].map(([id, { url }]) => [id, [url, served.urlOf(id)]] as const);
        for (let i = 0; i < 10; i++) {
          const indexing = index(urls());
          await pauseFor(0.3);
          await indexing.stop();
        }
        const last = index(urls());
        await last.until(
          async (rows) => liveAt(served.heads())(rows) && (await gaps.getAll(store)).length === 0,
          120,
        );
        await last.stop();
        expect(await readRows(store, { without: AT_HEAD })).toEqual(
          await undisturbed.rows({ without: AT_HEAD }),
        );
      });
    },
    300_000,
  );
});

/** Behind a load balancer, logs missing near the head are found a little later. */
async function hasAllEvents(store: Store): Promise<boolean> {
  const { history } = await readRows(store, { tables: ['history'] });
  const { history: all } = await undisturbed.rows({ tables: ['history'] });
  return history!.length === all!.length;
}

/** Returns whether every chain has a gap in its logs, so that indexing cannot continue. */
async function isWaiting(store: Store): Promise<boolean> {
  const found = await gaps.getAll(store);
  const waiting = new Set(
    found.filter(({ reason }) => reason === 'logs').map(({ chainId }) => chainId),
  );
  return waiting.size === served.heads().size;
}

/** Expects exactly the rows of an endpoint without faults, except in recorded gaps. */
async function expectWholeBut(store: Store, found: readonly Gap[]): Promise<void> {
  const own = await readRows(store, { without: AT_HEAD });
  const all = await undisturbed.rows({ without: AT_HEAD });
  if (found.length === 0) expect(own).toEqual(all);
  const lacksLogs = found.some(({ reason }) => reason === 'logs');
  const without = ['usd'];
  if (!lacksLogs) {
    const asked = { tables: EVENTS, without };
    expect(await readRows(store, asked)).toEqual(await undisturbed.rows(asked));
  }
  const missing = all.chain_tick!.filter((row) => !own.chain_tick!.includes(row));
  for (const row of missing) {
    const { chain_id: chainId, at } = JSON.parse(row) as { chain_id: number; at: number };
    const covering = found.filter(
      // Nothing after the first missing logs is indexed.
      (gap) =>
        gap.chainId === chainId &&
        gap.fromTime - 1 <= at &&
        (at <= gap.toTime || gap.reason === 'logs'),
    );
    expect(covering, `no gap covers ${row}`).not.toEqual([]);
  }
  const invented = own.chain_tick!.filter((row) => !all.chain_tick!.includes(row));
  expect(invented).toEqual([]);
}

interface Plan {
  readonly store: Store;
  /** Providers by chain id. */
  readonly providers: ReadonlyMap<number, Provider>;
  index(urls: Iterable<readonly [number, readonly string[]]>): Indexing;
}

async function withPlan(
  plan: {
    readonly name: ProfileName;
    readonly engine: Engine;
    readonly variant: VariantName | 'as it is';
    /** Replaces the plan's faults. */
    readonly faults?: Profile['faults'];
  },
  work: (given: Plan) => Promise<void>,
): Promise<void> {
  const { name, engine, variant, faults } = plan;
  const database = await createDatabase(engine);
  const providers = new Map<number, Provider>();
  const running: Indexing[] = [];
  try {
    for (const chainId of served.heads().keys()) {
      const profile = { ...scaled(name, SCALE), ...(faults && { faults }) };
      const target = served.urlOf(chainId);
      const options = {
        profile,
        target,
        speed: SPEED,
        seed: chainId,
        ...(variant !== 'as it is' && { variant }),
      };
      providers.set(chainId, await serveProvider(options));
    }
    const store = await database.open();
    const index = (urls: Iterable<readonly [number, readonly string[]]>) => {
      const config = served.config({ chain: CHAIN, ticks: TICKS, rpc: Object.fromEntries(urls) });
      const indexing = startIndexing(store, config);
      running.push(indexing);
      return indexing;
    };
    await work({ store, providers, index });
  } finally {
    for (const indexing of running) await indexing.stop();
    for (const provider of providers.values()) await provider.close();
    await database.drop();
  }
}
