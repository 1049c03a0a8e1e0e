import type { Hex } from '../../domain/hex.ts';
import type { ChainTick } from '../../domain/series/tick.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A family's state on one chain, read at the block of a tick. */
export interface ReadTick {
  readonly at: number;
  readonly block: number;
  /** The block's hash, if its header was read. */
  readonly hash?: Hex | undefined;
  readonly state: FamilyState;
}

export interface ChainTickRow extends ChainTick {
  readonly at: number;
  readonly block: number;
}

export interface RatioColumns {
  readonly ratioAssets: bigint | null;
  readonly ratioShares: bigint | null;
}

type Columns = Omit<ChainTickRow, 'ratio'> & RatioColumns;

export function toRatio({ ratioAssets, ratioShares }: RatioColumns): Ratio | null {
  if (ratioAssets === null || ratioShares === null) return null;
  return { assets: ratioAssets, shares: ratioShares };
}

export function toChainTick({ ratioAssets, ratioShares, ...row }: Columns): ChainTickRow {
  return { ...row, ratio: toRatio({ ratioAssets, ratioShares }) };
}

const COLUMNS = `chain_id as "chainId", at, block_number as "block", idle, invested, pending_exits as "pendingExits",
  pending_redemption_assets as "pendingRedemptionAssets", share_supply as "shareSupply",
  share_price as "sharePrice", ratio_assets as "ratioAssets", ratio_shares as "ratioShares",
  reward_per_year as "rewardPerYear"`;

const insert = statement(
  'chainTicks.insert',
  `insert into chain_tick (family_id, chain_id, at, block_number, idle, invested, pending_exits,
     pending_redemption_assets, share_supply, share_price, ratio_assets, ratio_shares, reward_per_year)
   select $1, $2, * from unnest($3::bigint[], $4::bigint[], $5::numeric[], $6::numeric[],
     $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[])
   on conflict (family_id, chain_id, at) do nothing`,
);
const insertPools = statement(
  'chainTicks.insertPools',
  `insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, available_liquidity,
     share_price, stated_rate, reward_per_year)
   select $1, $2, * from unnest($3::bytea[], $4::bigint[], $5::bigint[], $6::numeric[],
     $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[])
   on conflict (family_id, chain_id, pool_id, at) do nothing`,
);
const between = statement(
  'chainTicks.between',
  `select ${COLUMNS} from chain_tick where family_id = $1 and chain_id = $2 and at > $3 and at <= $4 order by at`,
);
const lastAt = statement(
  'chainTicks.lastAt',
  `select ${COLUMNS} from chain_tick where family_id = $1 and chain_id = $2 and at <= $3 order by at desc limit 1`,
);
const lastRatios = statement(
  'chainTicks.lastRatios',
  `select asked.family_id as "familyId", t.* from unnest($1::smallint[]) as asked(family_id),
   lateral (select ratio_assets as "ratioAssets", ratio_shares as "ratioShares" from chain_tick t
     where t.family_id = asked.family_id and t.chain_id = $2 and t.ratio_shares is not null and t.block_number <= $3
     order by t.at desc limit 1) t`,
);
const removeFrom = statement(
  'chainTicks.removeFrom',
  'delete from chain_tick where family_id = $1 and chain_id = $2 and at >= $3',
);
const removePoolsFrom = statement(
  'chainTicks.removePoolsFrom',
  'delete from pool_tick where family_id = $1 and chain_id = $2 and at >= $3',
);

export const chainTicks = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly ReadTick[]) {
    if (rows.length === 0) return;
    const of = (pick: (state: FamilyState) => bigint | null) =>
      numericColumn(rows.map((row) => pick(row.state)));
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(rows.map((row) => row.at)),
      intColumn(rows.map((row) => row.block)),
      of((state) => state.idle),
      of((state) => state.invested),
      of((state) => state.pendingExits),
      of((state) => state.pendingRedemptionAssets),
      of((state) => state.shareSupply),
      of((state) => state.sharePrice),
      of((state) => state.ratio?.assets ?? null),
      of((state) => state.ratio?.shares ?? null),
      of((state) => state.pools.reduce((sum, pool) => sum + pool.rewardPerYear, 0n)),
    ]);
    await insertPoolRows(tx, familyId, chainId, rows);
  },
  async getBetween(
    db: Queryable,
    familyId: number,
    chainId: number,
    after: number,
    until: number,
  ): Promise<ChainTickRow[]> {
    const rows = await db.query<Columns>(between, [familyId, chainId, after, until]);
    return rows.map(toChainTick);
  },
  async findLastAt(db: Queryable, familyId: number, chainId: number, at: number) {
    const [row] = await db.query<Columns>(lastAt, [familyId, chainId, at]);
    return row && toChainTick(row);
  },
  /** The value of the shares when the chain was last read, by family. */
  async getLastRatios(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<ReadonlyMap<number, Ratio | null>> {
    const rows = await db.query<RatioColumns & { familyId: number }>(lastRatios, [
      intColumn(familyIds),
      chainId,
      upTo,
    ]);
    return new Map(rows.map(({ familyId, ...columns }) => [familyId, toRatio(columns)]));
  },
  async removeFrom(tx: Queryable, familyId: number, chainId: number, at: number) {
    await tx.query(removeFrom, [familyId, chainId, at]);
    await tx.query(removePoolsFrom, [familyId, chainId, at]);
  },
};

async function insertPoolRows(
  tx: Queryable,
  familyId: number,
  chainId: number,
  rows: readonly ReadTick[],
) {
  const flat = rows.flatMap((row) => row.state.pools.map((pool) => ({ row, pool })));
  if (flat.length === 0) return;
  await tx.query(insertPools, [
    familyId,
    chainId,
    bytesColumn(flat.map(({ pool }): Hex => pool.poolId)),
    intColumn(flat.map(({ row }) => row.at)),
    intColumn(flat.map(({ row }) => row.block)),
    numericColumn(flat.map(({ pool }) => pool.value)),
    numericColumn(flat.map(({ pool }) => pool.pendingExit)),
    numericColumn(flat.map(({ pool }) => pool.availableLiquidity)),
    numericColumn(flat.map(({ pool }) => pool.sharePrice)),
    numericColumn(flat.map(({ pool }) => pool.statedRate)),
    numericColumn(flat.map(({ pool }) => pool.rewardPerYear)),
  ]);
}
