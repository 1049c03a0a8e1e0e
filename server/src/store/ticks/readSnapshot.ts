import type { Hex } from '../../domain/hex.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { DAY, END_OF_TIME, HOUR } from '../../domain/time.ts';
import type { PoolPrices } from '../../domain/vault/poolFigures.ts';
import { POOL_SHARES } from '../../domain/vault/state.ts';
import { bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { type ChainTickRow, type RatioColumns, toChainTick, toRatio } from './chainTicks.ts';

/** A family and its newest own tick; null while there is none. */
export interface NewestTick {
  readonly slug: string;
  readonly familyId: number;
  readonly tick: Tick | null;
}

export interface PoolReading {
  readonly chainId: number;
  readonly poolId: Hex;
  readonly value: bigint;
  readonly availableLiquidity: bigint | null;
  readonly statedRate: bigint | null;
  readonly prices: PoolPrices;
}

/** Past ticks are read without liquidity and stated rates; the newest complete values within this time are used. */
const FULL_WITHIN = 7 * DAY;

const newest = statement(
  'ticks.newestOf',
  `select f.slug, f.family_id as "familyId", t.at, t.tvl, t.idle, t.invested, t.pending_exits as "pendingExits",
     t.pending_redemption_assets as "pendingRedemptionAssets", t.total_shares as "totalShares",
     t.assets_per_share as "assetsPerShare", t.ratio_assets as "ratioAssets", t.ratio_shares as "ratioShares", t.usd, t.apy_1d as "apy1d", t.apy_7d as "apy7d",
     t.apy_30d as "apy30d", t.reward_apr as "rewardApr"
   from family f left join lateral (select * from tick where tick.family_id = f.family_id and not imported
     and at <= $2 order by at desc limit 1) t on true
   where f.slug = any($1::text[])`,
);
// Read by hour, because there would be thousands of ticks; the family's own tick wins if it is later.
const anyImported = statement(
  'rollups.anyImported',
  `select exists (select 1 from tick_rollup where family_id = $1 and span = ${HOUR} and bucket > $2 and bucket <= $3
     and imported) as "imported"`,
);
const chainRows = statement(
  'chainTicks.newestAt',
  `select held.* from unnest($2::bigint[]) as asked(chain_id),
   lateral (select chain_id as "chainId", at, block_number as "block", idle, invested,
     pending_exits as "pendingExits", pending_redemption_assets as "pendingRedemptionAssets",
     share_supply as "shareSupply", share_price as "sharePrice", ratio_assets as "ratioAssets",
     ratio_shares as "ratioShares", reward_per_year as "rewardPerYear"
     from chain_tick t where t.family_id = $1 and t.chain_id = asked.chain_id and t.at <= $3
     order by t.at desc limit 1) held`,
);
const poolRows = statement(
  'poolTicks.readings',
  `select p.chain_id as "chainId", p.pool_id as "poolId", p.value, p.at, p.share_price as "price",
     liquidity.amount as "availableLiquidity", rate.stated as "statedRate",
     coalesce(day.at, first.at) as "dayAt", coalesce(day.price, first.price) as "dayPrice",
     coalesce(week.at, first.at) as "weekAt", coalesce(week.price, first.price) as "weekPrice",
     coalesce(month.at, first.at) as "monthAt", coalesce(month.price, first.price) as "monthPrice"
   from unnest($2::bigint[], $3::bytea[], $4::bigint[]) as asked(chain_id, pool_id, at)
   join pool_tick p on p.family_id = $1 and p.chain_id = asked.chain_id and p.pool_id = asked.pool_id
     and p.at = asked.at
   join lateral (select at, share_price as price from pool_tick h where h.family_id = p.family_id
     and h.chain_id = p.chain_id and h.pool_id = p.pool_id order by h.at limit 1) first on true
   ${priceBefore('day', DAY)}
   ${priceBefore('week', 7 * DAY)}
   ${priceBefore('month', 30 * DAY)}
   ${newestKnown('liquidity', 'available_liquidity as amount', 'available_liquidity')}
   ${newestKnown('rate', 'stated_rate as stated', 'stated_rate')}`,
);

function priceBefore(name: string, span: number): string {
  return `left join lateral (select at, share_price as price from pool_tick h where h.family_id = p.family_id
     and h.chain_id = p.chain_id and h.pool_id = p.pool_id and h.at <= p.at - ${span}
     order by h.at desc limit 1) ${name} on true`;
}

function newestKnown(name: string, columns: string, known: string): string {
  return `left join lateral (select ${columns} from pool_tick h where h.family_id = p.family_id
     and h.chain_id = p.chain_id and h.pool_id = p.pool_id and h.at <= p.at and h.at > p.at - ${FULL_WITHIN}
     and h.${known} is not null order by h.at desc limit 1) ${name} on true`;
}

export const snapshotTicks = {
  /** The newest tick of each family up to a time. */
  async getNewest(
    db: Queryable,
    slugs: readonly string[],
    until = END_OF_TIME,
  ): Promise<NewestTick[]> {
    type Columns = Omit<Tick, 'at' | 'ratio'> & { at: number | null } & RatioColumns;
    type Row = { slug: string; familyId: number } & Columns;
    const rows = await db.query<Row>(newest, [textColumn(slugs), until]);
    return rows.map(({ slug, familyId, at, ratioAssets, ratioShares, ...tick }) => {
      if (at === null) return { slug, familyId, tick: null };
      return {
        slug,
        familyId,
        tick: { ...tick, at, ratio: toRatio({ ratioAssets, ratioShares }) },
      };
    });
  },
  /** Whether any hour in (after, until] comes from an imported tick. */
  async isImported(db: Queryable, familyId: number, after: number, until: number) {
    const [row] = await db.query<{ imported: boolean }>(anyImported, [familyId, after, until]);
    return row!.imported;
  },
  /** Each chain's newest state at or before a time: the inputs of the family's tick. */
  async getChainRows(
    db: Queryable,
    familyId: number,
    chainIds: readonly number[],
    at: number,
  ): Promise<ChainTickRow[]> {
    type Row = Parameters<typeof toChainTick>[0];
    const rows = await db.query<Row>(chainRows, [familyId, intColumn(chainIds), at]);
    return rows.map(toChainTick);
  },
  /** Pool values at the times at which they were read. */
  async getPoolReadings(
    db: Queryable,
    familyId: number,
    asked: readonly { readonly chainId: number; readonly poolId: Hex; readonly at: number }[],
  ): Promise<PoolReading[]> {
    if (asked.length === 0) return [];
    const rows = await db.query<PoolRow>(poolRows, [
      familyId,
      intColumn(asked.map(({ chainId }) => chainId)),
      bytesColumn(asked.map(({ poolId }) => poolId)),
      intColumn(asked.map(({ at }) => at)),
    ]);
    return rows.map(toReading);
  },
};

interface PoolRow extends Omit<PoolReading, 'prices'> {
  readonly at: number;
  readonly price: bigint;
  readonly dayAt: number;
  readonly dayPrice: bigint;
  readonly weekAt: number;
  readonly weekPrice: bigint;
  readonly monthAt: number;
  readonly monthPrice: bigint;
}

function toReading(row: PoolRow): PoolReading {
  const { chainId, poolId, value, availableLiquidity, statedRate } = row;
  const point = (at: number, assets: bigint) => ({ at, assets, shares: POOL_SHARES });
  const prices = {
    now: point(row.at, row.price),
    day: point(row.dayAt, row.dayPrice),
    week: point(row.weekAt, row.weekPrice),
    month: point(row.monthAt, row.monthPrice),
  };
  return { chainId, poolId, value, availableLiquidity, statedRate, prices };
}
