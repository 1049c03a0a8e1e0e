import type { PricePoint } from '../../domain/series/apy.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { floatColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const upsert = statement(
  'ticks.upsert',
  `insert into tick (family_id, imported, at, tvl, idle, invested, pending_exits, pending_redemption_assets,
     total_shares, assets_per_share, ratio_assets, ratio_shares, usd, apy_1d, apy_7d, apy_30d, reward_apr)
   select $1, false, * from unnest($2::bigint[], $3::numeric[], $4::numeric[],
     $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[],
     $12::float8[], $13::float8[], $14::float8[], $15::float8[], $16::float8[])
   on conflict (family_id, at) do update set imported = false, tvl = excluded.tvl, idle = excluded.idle,
     invested = excluded.invested, pending_exits = excluded.pending_exits,
     pending_redemption_assets = excluded.pending_redemption_assets, total_shares = excluded.total_shares,
     assets_per_share = excluded.assets_per_share, ratio_assets = excluded.ratio_assets,
     ratio_shares = excluded.ratio_shares, usd = excluded.usd, apy_1d = excluded.apy_1d,
     apy_7d = excluded.apy_7d, apy_30d = excluded.apy_30d, reward_apr = excluded.reward_apr`,
);
// Values read from chains win over imported ones.
const importTvl = statement(
  'ticks.importTvl',
  `insert into tick (family_id, imported, at, tvl, usd)
   select $1, true, * from unnest($2::bigint[], $3::numeric[], $4::float8[])
   on conflict (family_id, at) do update set tvl = excluded.tvl, usd = excluded.usd where tick.imported`,
);
const importApy = statement(
  'ticks.importApy',
  `insert into tick (family_id, imported, at, apy_7d)
   select $1, true, * from unnest($2::bigint[], $3::float8[])
   on conflict (family_id, at) do update set apy_7d = excluded.apy_7d where tick.imported`,
);
const removeFrom = statement(
  'ticks.removeFrom',
  'delete from tick where family_id = $1 and at >= $2 and not imported',
);
const removeBetween = statement(
  'ticks.removeBetween',
  `delete from tick where family_id = $1 and at > $2 and at <= $3 and not imported
     and at <> all($4::bigint[]) returning at`,
);
const instants = statement(
  'ticks.instants',
  `select distinct at from tick
   where family_id = any($1::smallint[]) and at > $2 and at <= $3 and not imported order by at`,
);
const pricesAt = statement(
  'ticks.pricesAt',
  `select asked.at as "asked", held.* from unnest($2::bigint[]) as asked(at),
   lateral (select at, ratio_assets as assets, ratio_shares as shares from tick
     where family_id = $1 and at <= asked.at and ratio_shares is not null order by at desc limit 1) held`,
);
const firstPrice = statement(
  'ticks.firstPrice',
  `select at, ratio_assets as assets, ratio_shares as shares from tick
   where family_id = $1 and ratio_shares is not null order by at limit 1`,
);

export const ticks = {
  async upsert(tx: Queryable, familyId: number, rows: readonly Tick[]) {
    if (rows.length === 0) return;
    const amounts = (pick: (tick: Tick) => bigint | null) => numericColumn(rows.map(pick));
    const numbers = (pick: (tick: Tick) => number | null) => floatColumn(rows.map(pick));
    await tx.query(upsert, [
      familyId,
      intColumn(rows.map((tick) => tick.at)),
      amounts((tick) => tick.tvl),
      amounts((tick) => tick.idle),
      amounts((tick) => tick.invested),
      amounts((tick) => tick.pendingExits),
      amounts((tick) => tick.pendingRedemptionAssets),
      amounts((tick) => tick.totalShares),
      amounts((tick) => tick.assetsPerShare),
      amounts((tick) => tick.ratio?.assets ?? null),
      amounts((tick) => tick.ratio?.shares ?? null),
      numbers((tick) => tick.usd),
      numbers((tick) => tick.apy1d),
      numbers((tick) => tick.apy7d),
      numbers((tick) => tick.apy30d),
      numbers((tick) => tick.rewardApr),
    ]);
  },
  async importTvl(
    tx: Queryable,
    familyId: number,
    rows: readonly { at: number; value: bigint; usd: number | null }[],
  ) {
    await tx.query(importTvl, [
      familyId,
      intColumn(rows.map((row) => row.at)),
      numericColumn(rows.map((row) => row.value)),
      floatColumn(rows.map((row) => row.usd)),
    ]);
  },
  async importApy(tx: Queryable, familyId: number, rows: readonly { at: number; value: number }[]) {
    await tx.query(importApy, [
      familyId,
      intColumn(rows.map((row) => row.at)),
      floatColumn(rows.map((row) => row.value)),
    ]);
  },
  removeFrom: (tx: Queryable, familyId: number, at: number) => tx.query(removeFrom, [familyId, at]),
  /** Removes the family's own ticks in (after, until], except those to keep; returns their times. */
  async removeBetween(
    tx: Queryable,
    familyId: number,
    after: number,
    until: number,
    keep: readonly number[],
  ) {
    const params = [familyId, after, until, intColumn(keep)];
    const rows = await tx.query<{ at: number }>(removeBetween, params);
    return rows.map((row) => row.at);
  },
  /** Times in (after, until] at which any of these families has its own tick. */
  async getInstants(db: Queryable, familyIds: readonly number[], after: number, until: number) {
    const rows = await db.query<{ at: number }>(instants, [intColumn(familyIds), after, until]);
    return rows.map((row) => row.at);
  },
  /** The newest share price at or before each time, if there is one. */
  async getPricesAt(db: Queryable, familyId: number, at: readonly number[]) {
    const rows = await db.query<PricePoint & { asked: number }>(pricesAt, [
      familyId,
      intColumn(at),
    ]);
    return new Map(rows.map(({ asked, ...point }) => [asked, point]));
  },
  async findFirstPrice(db: Queryable, familyId: number): Promise<PricePoint | undefined> {
    const rows = await db.query<PricePoint>(firstPrice, [familyId]);
    return rows[0];
  },
};
