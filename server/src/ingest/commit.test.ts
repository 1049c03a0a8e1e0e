import { expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { describeAnyEngine } from '../../test/database.ts';
import type { Header } from '../chain/chainClient.ts';
import { worth } from '../domain/amount.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { comparePlaces, type LogPlace } from '../domain/order.ts';
import { familyTick, type Tick } from '../domain/series/tick.ts';
import { bucketOf, DAY, gridBetween, HOUR } from '../domain/time.ts';
import type { HistoryItem } from '../domain/vault/history.ts';
import type { FamilyState } from '../domain/vault/state.ts';
import type { Movement, MovementKind } from '../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved } from '../domain/wallet/position.ts';
import { families } from '../store/families/families.ts';
import { showShares } from '../store/positions/sharesOn.ts';
import type { PriceRow } from '../store/prices/prices.ts';
import { sources } from '../store/sources/sources.ts';
import { type Store, statement } from '../store/store.ts';
import { vaults } from '../store/vaults/vaults.ts';
import { commitStep, foldWaiting } from './commit.ts';
import type { FeedReader } from './feeds/feedReader.ts';
import type { FamilyReader } from './read/familyReader.ts';
import type { Step } from './read/step.ts';
import { rollBack } from './rollback.ts';

const START = 1_790_000_000 - (1_790_000_000 % DAY);
const GRID = HOUR;
const MAX_PRICE_AGE = 5 * HOUR;
const DECIMALS = 6;
const WALLETS = ['a', 'b', 'c'].map((digit): Address => `0x${digit.repeat(40)}`);
const KINDS: readonly MovementKind[] = ['deposit', 'exit', 'received', 'sent'];
const SEEDS = LONG ? 40 : 3;
const ACTS = 60;

const allPositions = statement(
  'test.commit.positions',
  `select wallet, shares, shares_on as "sharesOn", cost, realized from position
   where family_id = $1 order by wallet`,
);
const allTicks = statement(
  'test.commit.ticks',
  `select at, tvl, idle, invested, pending_exits as "pendingExits",
     pending_redemption_assets as "pendingRedemptionAssets", total_shares as "totalShares",
     assets_per_share as "assetsPerShare", ratio_assets as "ratioAssets", ratio_shares as "ratioShares", usd, apy_1d as "apy1d", apy_7d as "apy7d", apy_30d as "apy30d",
     reward_apr as "rewardApr" from tick where family_id = $1 order by at`,
);
const allRollups = statement(
  'test.commit.rollups',
  `select span, bucket, tvl_at as "tvlAt", tvl, usd, apy_at as "apyAt", apy, share_price_at as "sharePriceAt",
     assets_per_share as "assetsPerShare", imported
   from tick_rollup where family_id = $1 order by span, bucket`,
);
const allUsd = statement(
  'test.commit.usd',
  'select chain_id as "chainId", block_number as "block", usd from history where family_id = $1 and type = 1 order by 1, 2',
);

interface Block extends Header {
  readonly state: FamilyState;
  readonly movement: Movement | null;
  readonly deposit: HistoryItem | null;
  readonly price: PriceRow | null;
}

/** The price of one share (10^decimals), for a vault without a more exact ratio. */
function priced(sharePrice: bigint | null) {
  const ratio =
    sharePrice === null ? null : { assets: sharePrice, shares: 10n ** BigInt(DECIMALS) };
  return { sharePrice, ratio };
}

function createRandom(seed: number) {
  let state = seed * 2_654_435_761;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const hash = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padStart(64, '0')}`;

/** Two chains of one family, the first also with its price feed, and what was committed for them. */
async function createScene(store: Store, seed: number) {
  const random = createRandom(seed);
  const slug = `family-${seed}`;
  const feed = `feed-${seed}`;
  const chainIds = [seed * 10 + 1, seed * 10 + 2] as const;
  const rows = await store.transaction((tx) => families.register(tx, [slug]));
  const { familyId } = rows.find((row) => row.slug === slug)!;
  const priceChainId = chainIds[0];
  const family = { familyId, slug, feed, maxPriceAge: MAX_PRICE_AGE, priceChainId, chainIds };
  const fingerprint = 'same';
  let forks = 0;

  function makeBlock(chainId: number, parent: Header | undefined): Block {
    const number = parent === undefined ? 0 : parent.number + 1;
    // Few different intervals, so blocks of both chains and ticks often have the same second or adjacent ones.
    const gap = [0, 1, HOUR - 1, HOUR, HOUR, 2 * HOUR][random(6)]!;
    const time = parent === undefined ? START + random(3) * HOUR : parent.time + gap;
    const place: LogPlace = { blockTime: time, chainId, blockNumber: number, logIndex: 0 };
    const amount = () => BigInt(1 + random(1_000_000));
    const has = parent !== undefined;
    const isDeposit = has && random(3) === 0;
    const wallet = WALLETS[random(WALLETS.length)]!;
    const movement: Movement | null =
      has && random(2) === 0
        ? { place, part: 0, wallet, kind: KINDS[random(4)]!, shares: amount(), assets: amount() }
        : null;
    return {
      number,
      hash: hash(`${chainId} ${number} ${forks++}`),
      parentHash: parent?.hash ?? hash('none'),
      time,
      state: {
        idle: amount(),
        invested: amount(),
        pendingExits: amount(),
        pendingRedemptionAssets: amount(),
        shareSupply: amount(),
        ...priced(random(8) === 0 ? null : amount()),
        pools: [],
      },
      movement,
      deposit: isDeposit
        ? {
            place,
            txHash: hash(`${number}`),
            type: 'deposit',
            wallet,
            assets: amount(),
            shares: amount(),
          }
        : null,
      price:
        has && chainId === chainIds[0] && random(3) === 0
          ? {
              at: time,
              updatedAt: time - (random(3) === 0 ? random(2 * MAX_PRICE_AGE) : 0),
              chainId,
              blockNumber: number,
              logIndex: 0,
              value: random(5) === 0 ? null : amount(),
              decimals: 8,
            }
          : null,
    };
  }

  const chains = chainIds.map((chainId) => {
    const source = { key: `family:${slug}`, fingerprint, startBlock: 1 };
    const familyReader = { kind: 'family', familyId, source } as unknown as FamilyReader;
    const feedReader = {
      kind: 'feed',
      source: { key: `feed:${feed}`, fingerprint, startBlock: 1 },
    } as unknown as FeedReader;
    const readers = chainId === chainIds[0] ? [familyReader, feedReader] : [familyReader];
    const blocks = [makeBlock(chainId, undefined)];
    blocks.push(makeBlock(chainId, blocks[0]));
    return { chainId, blocks, committed: 0, familyReader, readers };
  });
  type Chain = (typeof chains)[number];

  await store.transaction(async (tx) => {
    for (const { chainId, readers, blocks } of chains) {
      await vaults.upsert(tx, [
        {
          familyId,
          chainId,
          address: WALLETS[0]!,
          authority: null,
          asset: WALLETS[0]!,
          assetSymbol: 'USD',
          assetName: 'USD',
          assetDecimals: DECIMALS,
          share: WALLETS[0]!,
          shareSymbol: 'S',
          shareName: 'S',
          shareDecimals: DECIMALS,
        },
      ]);
      for (const { kind, source } of readers) {
        const row = { chainId, key: source.key, fingerprint, startBlock: 1 };
        const own = kind === 'family' ? { familyId, feed: null } : { familyId: null, feed };
        await sources.insert(tx, [{ ...row, ...own }]);
        await sources.setStartTime(tx, chainId, [source], blocks[1]!.time);
        await sources.advance(tx, chainId, [row], blocks[0]!);
      }
    }
  });

  const blockAt = (chain: Chain, at: number) => chain.blocks.findLast((block) => block.time <= at)!;

  async function commit(chain: Chain, count: number): Promise<void> {
    while (chain.blocks.length - 1 < chain.committed + count) {
      chain.blocks.push(makeBlock(chain.chainId, chain.blocks.at(-1)));
    }
    const before = chain.blocks[chain.committed]!;
    const taken = chain.blocks.slice(chain.committed + 1, chain.committed + 1 + count);
    const to = taken.at(-1)!;
    const instants = gridBetween(before.time - 1, to.time - 1, GRID);
    const step: Step = {
      chainId: chain.chainId,
      fromBlock: before.number + 1,
      fromTime: before.time,
      to,
      readers: chain.readers,
      families: [
        {
          reader: chain.familyReader,
          history: taken.flatMap(({ deposit }) => deposit ?? []),
          movements: taken.flatMap(({ movement }) => movement ?? []),
          sharePrices: [],
          pools: [],
          custody: [],
          queues: [],
          requests: [],
          depositRequests: [],
          governance: [],
          notices: [],
          flowFits: [],
          freeMints: [],
          unreadAt: null,
          isPruned: false,
          ticks: instants.flatMap((at) => {
            const { number, state } = blockAt(chain, at);
            return number < 1 ? [] : [{ at, block: number, state }];
          }),
        },
      ],
      prices:
        chain.readers.length > 1
          ? [{ feed, rows: taken.flatMap(({ price }) => price ?? []), phases: [] }]
          : [],
      logs: taken.length,
    };
    const progress = {
      head: to.number,
      headTime: to.time,
      finalized: 0,
      indexedBlock: to.number,
      indexedTime: to.time,
      state: 'live' as const,
      backfilled: true,
      error: null,
      now: to.time,
    };
    await store.transaction((tx) =>
      commitStep(tx, { step, ring: null, progress, added: new Set(), families: [family] }),
    );
    chain.committed = to.number;
  }

  async function reorg(chain: Chain, depth: number): Promise<void> {
    const to = chain.blocks[Math.max(0, chain.committed - depth)]!;
    await store.transaction((tx) => rollBack(tx, chain.chainId, to, [family], to.time));
    chain.blocks.splice(to.number + 1);
    if (to.number === 0) {
      // The reorg replaced its first block.
      chain.blocks.push(makeBlock(chain.chainId, to));
      const [, first] = chain.blocks;
      await store.transaction(async (tx) => {
        for (const { source } of chain.readers) {
          await sources.setStartTime(tx, chain.chainId, [source], first!.time);
        }
      });
    }
    chain.committed = to.number;
  }

  async function fail(chain: Chain): Promise<void> {
    await store.transaction(async (tx) => {
      const keys = chain.readers.map(({ source }) => source.key);
      await sources.setReadable(tx, chain.chainId, keys, false);
      await foldWaiting(tx, [family]);
    });
  }

  /** Commits both chains past everything that was ever folded, so that no older state replaces a missing one. */
  async function settle(): Promise<number> {
    // From here on, both chains are readable, and neither is folded past the other.
    for (const chain of chains) await commit(chain, 1);
    const row = (await families.getAll(store)).find((one) => one.familyId === familyId)!;
    const times = chains.map(({ blocks }) => blocks.at(-1)!.time);
    const end = Math.max(...times, row.positionUntil, row.tickUntil) + 3 * HOUR;
    for (const chain of chains) {
      do await commit(chain, 3);
      while (chain.blocks[chain.committed]!.time < end);
    }
    for (const chain of chains) await commit(chain, 1);
    return Math.min(...chains.map((chain) => chain.blocks[chain.committed]!.time)) - 1;
  }

  return { familyId, random, chains, commit, reorg, fail, settle, blockAt };
}

type Scene = Awaited<ReturnType<typeof createScene>>;

/** Computes the expected rows from the chains in the simplest way. */
function expected(scene: Scene, until: number) {
  const blocks = scene.chains.flatMap((chain) => chain.blocks.slice(0, chain.committed + 1));
  const prices = blocks.flatMap(({ price }) => price ?? []);
  prices.sort((a, b) => a.at - b.at || a.blockNumber - b.blockNumber);
  const usdPriceAt = (at: number) => {
    const price = prices.findLast((one) => one.at <= at);
    if (price === undefined || price.value === null) return null;
    const { value, decimals, updatedAt } = price;
    return at - updatedAt > MAX_PRICE_AGE ? null : { value, decimals };
  };

  const positions = new Map<Address, ReturnType<typeof moved>>();
  const movements = blocks.flatMap(({ movement }) => movement ?? []);
  movements.sort((a, b) => comparePlaces(a.place, b.place));
  for (const movement of movements.filter(({ place }) => place.blockTime <= until)) {
    const held = positions.get(movement.wallet) ?? EMPTY_POSITION;
    const move = { ...movement, chainId: movement.place.chainId };
    positions.set(movement.wallet, moved(held, move));
  }

  const ticks: Tick[] = [];
  for (const at of gridBetween(START - 1, until, GRID)) {
    const states = scene.chains
      .filter(({ blocks: own }) => own[1]!.time <= at)
      .map((chain) => ({
        chainId: chain.chainId,
        ...scene.blockAt(chain, at).state,
        rewardPerYear: 0n,
      }));
    if (states.length === 0) continue;
    const known = ticks.flatMap(({ at: time, ratio }) =>
      ratio === null ? [] : [{ at: time, ...ratio }],
    );
    ticks.push(
      familyTick({
        at,
        chains: states,
        priceChainId: scene.chains[0]!.chainId,
        assetDecimals: DECIMALS,
        usdPrice: usdPriceAt(at),
        priceAt: (instant) => known.findLast((one) => one.at <= instant) ?? known[0],
      }),
    );
  }

  const deposits = blocks.flatMap(({ deposit }) => deposit ?? []);
  const usd = deposits.map(({ place, assets }) => {
    const price = place.blockTime <= until ? usdPriceAt(place.blockTime) : null;
    const value = price === null ? null : worth(assets!, DECIMALS, price);
    return { chainId: place.chainId, block: place.blockNumber, usd: value };
  });
  return {
    positions: [...positions].map(([wallet, position]) => ({ wallet, ...position })).sort(byWallet),
    ticks,
    usd: usd.sort((a, b) => a.chainId - b.chainId || a.block - b.block),
  };
}

function byWallet(a: { wallet: string }, b: { wallet: string }): number {
  return a.wallet < b.wallet ? -1 : 1;
}

/** Returns the last tick of each hour and day, per series. */
function naiveRollups(ticks: readonly Tick[]) {
  return [HOUR, DAY].flatMap((span) => {
    const buckets = [...new Set(ticks.map(({ at }) => bucketOf(at, span)))];
    return buckets.map((bucket) => {
      const own = ticks.filter(({ at }) => bucketOf(at, span) === bucket);
      const tvl = own.at(-1)!;
      const apy = own.findLast(({ apy7d }) => apy7d !== null);
      const price = own.findLast(({ assetsPerShare }) => assetsPerShare !== null);
      return {
        span,
        bucket,
        tvlAt: tvl.at,
        tvl: tvl.tvl,
        usd: tvl.usd,
        apyAt: apy?.at ?? null,
        apy: apy?.apy7d ?? null,
        sharePriceAt: price?.at ?? null,
        assetsPerShare: price?.assetsPerShare ?? null,
        imported: false,
      };
    });
  });
}

/** The rollups must always match the existing ticks. */
async function checkRollups(store: Store, { familyId }: Scene): Promise<void> {
  const made = await store.query<Tick>(allTicks, [familyId]);
  expect(await store.query(allRollups, [familyId])).toEqual(naiveRollups(made));
}

async function check(store: Store, scene: Scene): Promise<void> {
  const until = await scene.settle();
  const whole = expected(scene, until);
  const { familyId } = scene;
  expect(await store.query(allPositions, [familyId])).toEqual(
    whole.positions.map((row) => ({ ...row, sharesOn: showShares(row.sharesOn) })),
  );
  expect(await store.query(allTicks, [familyId])).toEqual(
    whole.ticks.map(({ ratio, ...tick }) => ({
      ...tick,
      ratioAssets: ratio?.assets ?? null,
      ratioShares: ratio?.shares ?? null,
    })),
  );
  expect(await store.query(allRollups, [familyId])).toEqual(naiveRollups(whole.ticks));
  const usd = await store.query<{ usd: number | null }>(allUsd, [familyId]);
  expect(usd.map((row) => ({ ...row, usd: round(row.usd) }))).toEqual(
    whole.usd.map((row) => ({ ...row, usd: round(row.usd) })),
  );
}

/** PostgreSQL divides in decimals, JavaScript in binary, so the last digit can differ. */
function round(usd: number | null): number | null {
  return usd === null ? null : Number(usd.toPrecision(12));
}

describeAnyEngine('commitStep', (open) => {
  test('default', async () => {
    const store = await open();
    const scene = await createScene(store, 1_000);
    for (let i = 0; i < 10; i++) for (const chain of scene.chains) await scene.commit(chain, 3);
    await check(store, scene);
  });

  test('behavior: a late chain changes the rows folded without it', async () => {
    const store = await open();
    const scene = await createScene(store, 1_001);
    const [early, late] = scene.chains;
    await scene.fail(late!);
    for (let i = 0; i < 10; i++) await scene.commit(early!, 3);
    for (let i = 0; i < 10; i++) await scene.commit(late!, 3);
    await check(store, scene);
  });

  test('behavior: one step from below the folded range to far above it', async () => {
    const store = await open();
    const scene = await createScene(store, 1_007);
    const [early, late] = scene.chains;
    await scene.fail(late!);
    await scene.commit(early!, 15);
    await scene.commit(late!, 1);
    await scene.commit(early!, 15);
    await scene.commit(late!, 60);
    await check(store, scene);
  });

  test('behavior: a late chain of prices changes them as well', async () => {
    const store = await open();
    const scene = await createScene(store, 1_002);
    const [priced, other] = scene.chains;
    await scene.commit(priced!, 5);
    await scene.fail(priced!);
    for (let i = 0; i < 10; i++) await scene.commit(other!, 3);
    for (let i = 0; i < 10; i++) await scene.commit(priced!, 3);
    await check(store, scene);
  });

  test('behavior: a reorg below all folded ticks', async () => {
    const store = await open();
    const scene = await createScene(store, 1_003);
    for (let i = 0; i < 6; i++) for (const chain of scene.chains) await scene.commit(chain, 3);
    for (const chain of scene.chains) await scene.reorg(chain, 1_000);
    await check(store, scene);
  });

  test('behavior: a reorg while another chain catches up', async () => {
    const store = await open();
    const scene = await createScene(store, 1_004);
    const [ahead, behind] = scene.chains;
    await scene.fail(behind!);
    for (let i = 0; i < 12; i++) await scene.commit(ahead!, 3);
    await scene.commit(behind!, 4);
    await scene.reorg(ahead!, 20);
    await checkRollups(store, scene);
    await scene.commit(behind!, 4);
    await scene.reorg(behind!, 6);
    await checkRollups(store, scene);
    await check(store, scene);
  });

  test('behavior: an unreadable chain counts with its last known state', async () => {
    const store = await open();
    const scene = await createScene(store, 1_005);
    const [read, silent] = scene.chains;
    for (const chain of scene.chains) {
      while (chain.blocks[chain.committed]!.time < START + DAY) await scene.commit(chain, 2);
    }
    const held = silent!.blocks[silent!.committed]!.time;
    while (read!.blocks[read!.committed]!.time < held + DAY) await scene.commit(read!, 2);
    const ticksOf = () => store.query<Tick>(allTicks, [scene.familyId]);
    expect((await ticksOf()).at(-1)!.at).toBeLessThan(held);
    await scene.fail(silent!);
    const made = await ticksOf();
    const last = made.at(-1)!;
    expect(last.at).toBeGreaterThan(held + DAY - 2 * GRID);
    const known = made.findLast(({ at }) => at < held)!;
    const standIn = scene.blockAt(silent!, known.at).state;
    expect(last.idle).toBe(scene.blockAt(read!, last.at).state.idle + standIn.idle);
    await check(store, scene);
  });

  test('behavior: both chains at once, as two connections do', async () => {
    const store = await open();
    const scene = await createScene(store, 1_006);
    for (let round = 0; round < 12; round++) {
      await Promise.all(
        scene.chains.map((chain, i) =>
          round % 4 === 3 - i ? scene.reorg(chain, 3) : scene.commit(chain, 1 + ((round + i) % 3)),
        ),
      );
    }
    await check(store, scene);
  });

  test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
    'behavior: any events in any order, seed %d',
    async (seed) => {
      const store = await open();
      const scene = await createScene(store, seed);
      const { random, chains } = scene;
      for (let i = 0; i < ACTS; i++) {
        const chain = chains[random(2)]!;
        const act = random(10);
        if (act < 7) await scene.commit(chain, 1 + random(4));
        else if (act < 9) await scene.reorg(chain, 1 + random(6));
        else await scene.fail(chain);
        if (i % 10 === 0) await checkRollups(store, scene);
      }
      await check(store, scene);
    },
  );
});
