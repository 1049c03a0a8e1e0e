import type { Hex } from '../src/domain/hex.ts';
import { DAY, HOUR } from '../src/domain/time.ts';
import type { FamilyState } from '../src/domain/vault/state.ts';
import type { FamilyToThin } from '../src/ingest/thin.ts';
import { families } from '../src/store/families/families.ts';
import { sources } from '../src/store/sources/sources.ts';
import { type Queryable, statement } from '../src/store/store.ts';
import { chainTicks, type ReadTick } from '../src/store/ticks/chainTicks.ts';
import { rollups } from '../src/store/ticks/rollups.ts';
import { ticks } from '../src/store/ticks/ticks.ts';

export const T0 = 20_000 * DAY;
export const DAYS = 6;
export const CHAINS = [10, 8453];
const POOLS: readonly Hex[] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
const GRID = 1_200;

const addPool = statement(
  'test.thin.addPool',
  `insert into pool (family_id, chain_id, block_number, log_index, block_time, pool_id, offchain_id, venue, venue_kind,
     idle_only, status, risk_score, epoch)
   values ($1, $2, 1, $3, 1, $4::bytea, $5, '\\x01', 1, false, 1, 1, 1)`,
);
const setIndexed = statement(
  'test.thin.setIndexed',
  'update source set indexed_time = $3 where family_id = $1 and chain_id = $2',
);
const setUntil = statement(
  'test.thin.setUntil',
  'update family set tick_until = $2 where family_id = $1',
);

/**
 * A family with its feeder, both with states and ticks of six days on two chains. Some rows are missing, some are
 * imported.
 */
export interface ThinnedFamilies {
  readonly master: FamilyToThin & { readonly slug: string };
  readonly feeder: FamilyToThin & { readonly slug: string };
  /** Writes all rows, including those that were deleted. */
  write(db: Queryable): Promise<void>;
}

export async function makeFamilies(
  db: Queryable,
  name: string,
  random: () => number,
): Promise<ThinnedFamilies> {
  const slugs = [`${name} master`, `${name} feeder`];
  const rows = await families.register(db, slugs);
  const [master, feeder] = slugs.map((slug) => rows.find((row) => row.slug === slug)!.familyId);
  for (const familyId of [master!, feeder!]) {
    await sources.insert(
      db,
      CHAINS.map((chainId) => ({
        chainId,
        key: `family:${name} ${familyId}`,
        familyId,
        feed: null,
        fingerprint: 'x',
        startBlock: 1,
      })),
    );
    for (const chainId of CHAINS) await setIndexedTime(db, familyId, chainId, T0 + DAYS * DAY);
    await db.query(setUntil, [familyId, T0 + DAYS * DAY]);
    for (const chainId of CHAINS) {
      for (const [i, pool] of POOLS.entries()) {
        await db.query(addPool, [familyId, chainId, i, `\\x${pool.slice(2)}`, `pool ${i}`]);
      }
    }
  }
  const own = [master!, feeder!].map((familyId) => drawRows(familyId, random));
  return {
    master: { familyId: master!, chainIds: CHAINS, shownWith: [feeder!], slug: slugs[0]! },
    feeder: { familyId: feeder!, chainIds: CHAINS, shownWith: [], slug: slugs[1]! },
    async write(tx) {
      for (const { familyId, states, made, imported } of own) {
        for (const [i, chainId] of CHAINS.entries()) {
          await chainTicks.insert(tx, familyId, chainId, states[i]!);
        }
        await ticks.importTvl(tx, familyId, imported);
        await ticks.upsert(tx, familyId, made);
        await rollups.refresh(tx, familyId, T0, T0 + DAYS * DAY);
      }
    },
  };
}

export async function setIndexedTime(db: Queryable, familyId: number, chainId: number, at: number) {
  await db.query(setIndexed, [familyId, chainId, at]);
}

function drawRows(familyId: number, random: () => number) {
  const grid = Array.from({ length: (DAYS * DAY) / GRID }, (_, i) => T0 + i * GRID);
  const maybe = (often: number) => random() < often;
  const amount = () => BigInt(Math.floor(random() * 1e9)) + 1n;
  const states = CHAINS.map(() => {
    // Simulates occasional outages of hours, in which an older state of the chain is used.
    let until = 0;
    return grid.flatMap((at): ReadTick[] => {
      if (maybe(0.01)) until = at + Math.floor(random() * 6) * HOUR;
      if (at < until || maybe(0.1)) return [];
      return [{ at, block: (at - T0) / GRID, state: drawState(amount, maybe) }];
    });
  });
  const made = grid
    .filter(() => maybe(0.85))
    .map((at) => {
      const price = maybe(0.8) ? amount() : null;
      return {
        at,
        tvl: amount(),
        idle: amount(),
        invested: amount(),
        pendingExits: 0n,
        pendingRedemptionAssets: 0n,
        totalShares: amount(),
        assetsPerShare: price,
        ratio: price === null ? null : { assets: price, shares: 1_000_000n },
        usd: null,
        apy1d: null,
        apy7d: maybe(0.8) ? random() : null,
        apy30d: null,
        rewardApr: 0,
      };
    });
  const imported = grid
    .filter(() => maybe(0.03))
    .map((at) => ({ at: at + 7, value: amount(), usd: 1 }));
  return { familyId, states, made, imported };
}

function drawState(amount: () => bigint, maybe: (often: number) => boolean): FamilyState {
  const price = maybe(0.9) ? amount() : null;
  return {
    idle: amount(),
    invested: amount(),
    pendingExits: 0n,
    pendingRedemptionAssets: 0n,
    shareSupply: amount(),
    sharePrice: price,
    ratio: price === null ? null : { assets: price, shares: 1_000_000n },
    // A pool can be added later and removed again.
    pools: POOLS.filter(() => maybe(0.9)).map((poolId) => ({
      poolId,
      value: amount(),
      pendingExit: 0n,
      availableLiquidity: null,
      sharePrice: amount(),
      statedRate: null,
      rewardPerYear: 0n,
    })),
  };
}
