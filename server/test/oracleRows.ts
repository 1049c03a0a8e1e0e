import { type Queryable, statement } from '../src/store/store.ts';
import type { Row } from './oracleDifference.ts';
import type { ChainTick } from './oracleTicks.ts';

const PLACE = `block_time as "blockTime", chain_id as "chainId", block_number as "blockNumber", log_index as "logIndex"`;

const families = statement('oracle.families', 'select family_id as "id", slug from family');
const ofFamily = (table: string, columns: string, order = '1') =>
  statement(
    `oracle.${table}`,
    `select ${columns} from ${table} where family_id = $1 order by ${order}`,
  );

const history = ofFamily(
  'history',
  `${PLACE}, type, wallet, assets, shares, usd, tx_hash as "txHash"`,
);
const movement = ofFamily(
  'movement',
  `${PLACE}, part, wallet, kind, shares, assets`,
  'block_time, chain_id, block_number, log_index, part',
);
const position = ofFamily('position', 'wallet, shares, cost, realized');
const holderTotal = ofFamily('holder_total', 'holders, shares');
const sharePrice = ofFamily('share_price', `${PLACE}, price`);
const pool = ofFamily(
  'pool',
  `${PLACE}, pool_id as "poolId", offchain_id as "offchainId", venue, venue_kind as "venueKind",
   idle_only as "idleOnly", status, risk_score as "riskScore", epoch`,
);
const chainTick = ofFamily(
  'chain_tick',
  `chain_id as "chainId", at, block_number as "blockNumber", idle, invested, pending_exits as "pendingExits",
   pending_redemption_assets as "pendingRedemptionAssets", share_supply as "shareSupply",
   share_price as "sharePrice", reward_per_year as "rewardPerYear"`,
);
const poolTick = ofFamily(
  'pool_tick',
  `chain_id as "chainId", pool_id as "poolId", at, block_number as "blockNumber", value,
   pending_exit as "pendingExit", available_liquidity as "availableLiquidity", share_price as "sharePrice",
   stated_rate as "statedRate", reward_per_year as "rewardPerYear"`,
);
const tick = ofFamily(
  'tick',
  `at, tvl, idle, invested, pending_exits as "pendingExits",
   pending_redemption_assets as "pendingRedemptionAssets", total_shares as "totalShares",
   assets_per_share as "assetsPerShare", usd, apy_1d as "apy1d", apy_7d as "apy7d", apy_30d as "apy30d",
   reward_apr as "rewardApr", imported`,
);
const rollup = ofFamily(
  'tick_rollup',
  `span, bucket, tvl_at as "tvlAt", tvl, usd, apy_at as "apyAt", apy, share_price_at as "sharePriceAt",
   assets_per_share as "assetsPerShare", imported`,
);
const price = statement(
  'oracle.price',
  `select at, chain_id as "chainId", block_number as "blockNumber", log_index as "logIndex", value, decimals
   from price where feed = $1`,
);
const block = statement(
  'oracle.block',
  'select number, hash, time from block where chain_id = $1 order by number',
);
const positionUntil = statement(
  'oracle.positionUntil',
  'select position_until as "until" from family where family_id = $1',
);

export interface FamilyRows {
  readonly history: readonly Row[];
  readonly movement: readonly Row[];
  readonly position: readonly Row[];
  readonly holderTotal: readonly Row[];
  readonly positionUntil: number;
  readonly sharePrice: readonly Row[];
  readonly pool: readonly Row[];
  readonly chainTick: readonly (Row & ChainTick)[];
  readonly poolTick: readonly Row[];
  readonly tick: readonly Row[];
  readonly rollup: readonly Row[];
}

export async function readFamilyIds(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ id: number; slug: string }>(families);
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** Reads all of a family's rows in the store. */
export async function readFamilyRows(db: Queryable, id: number): Promise<FamilyRows> {
  const [until] = await db.query<{ until: number }>(positionUntil, [id]);
  return {
    history: await db.query(history, [id]),
    movement: await db.query(movement, [id]),
    position: await db.query(position, [id]),
    holderTotal: await db.query(holderTotal, [id]),
    positionUntil: until!.until,
    sharePrice: await db.query(sharePrice, [id]),
    pool: await db.query(pool, [id]),
    chainTick: await db.query(chainTick, [id]),
    poolTick: await db.query(poolTick, [id]),
    tick: await db.query(tick, [id]),
    rollup: await db.query(rollup, [id]),
  };
}

export const readPriceRows = (db: Queryable, feed: string) => db.query<Row>(price, [feed]);
export const readBlockRows = (db: Queryable, chainId: number) => db.query<Row>(block, [chainId]);
