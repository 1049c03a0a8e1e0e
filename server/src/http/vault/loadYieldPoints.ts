import type { Config, FamilyConfig } from '../../config/config.ts';
import { mulDivDown } from '../../domain/amount.ts';
import { DAY, HOUR } from '../../domain/time.ts';
import { apportion } from '../../domain/vault/apportion.ts';
import type { YieldPoint, YieldPool } from '../../domain/vault/yieldBySource.ts';
import type { Queryable } from '../../store/store.ts';
import { allocation } from '../../store/ticks/allocation.ts';
import { series } from '../../store/ticks/readSeries.ts';
import { yieldPoints } from '../../store/ticks/yieldPoints.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import type { TimeRange } from './timeRange.ts';

/** Up to this length, a window has a step per hour: a longer one has one per day. */
export const HOURLY_DAYS = 31;
/** Bounds the rows of one request. */
export const MAX_DAYS = 1100;

/** Reads the data points of a window: the newest at or before its start, then the last of each hour or day. */
export async function loadYieldPoints(
  db: Queryable,
  config: Config,
  family: FamilyConfig,
  { from, to }: TimeRange,
): Promise<YieldPoint[]> {
  const { slug } = family;
  const span = to - from <= HOURLY_DAYS * DAY ? HOUR : DAY;
  const limit = Math.ceil((MAX_DAYS * DAY) / span) + 2;
  const [first, rest] = await Promise.all([
    series.split.getRaw(db, slug, { from: 0, to: from, limit: 1 }),
    series.split.getLastOfEach(db, slug, span, { from: from + 1, to, limit }),
  ]);
  const ticks = await yieldPoints.getTicks(
    db,
    slug,
    [...first, ...rest].map(({ at }) => at),
  );
  const instants = ticks.map(({ at }) => at);
  const source = poolFamilyOf(config, family);
  const settledElsewhere = family.chains
    .filter(({ rated }) => rated?.ledger.mints === 'received')
    .map(({ chainId }) => chainId);
  const [pools, free, master] = await Promise.all([
    yieldPoints.getPools(db, source.slug, instants),
    yieldPoints.getFreeShares(db, slug, instants, settledElsewhere),
    source === family ? undefined : allocation.getInvested(db, source.slug, instants),
  ]);
  return ticks.map(({ at, shares, ratioAssets, ratioShares, invested }, i) => {
    const its = pools[i]!;
    return {
      at,
      shares,
      price: { assets: ratioAssets, shares: ratioShares },
      pools: master ? stakeIn(its, invested, master.get(at) ?? 0n) : its,
      freeShares: free[i]!,
    };
  });
}

/** A feeder has its share of its master's pools, and of what they stream. */
function stakeIn(
  pools: readonly YieldPool[],
  invested: bigint,
  masterInvested: bigint,
): YieldPool[] {
  const pooled = pools.reduce((sum, { value }) => sum + value, 0n);
  const all = masterInvested > pooled ? masterInvested : pooled;
  const values = apportion(invested, [...pools.map(({ value }) => value), all - pooled]);
  return pools.map((pool, i) => ({
    ...pool,
    value: values[i]!,
    rewardPerYear: all === 0n ? 0n : mulDivDown(pool.rewardPerYear, invested, all),
  }));
}
