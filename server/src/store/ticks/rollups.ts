import { bucketOf, DAY, HOUR } from '../../domain/time.ts';
import { type Queryable, statement } from '../store.ts';

// The last tick of each bucket, per series: an imported tick may have a value for one series and not for another.
const rebuild = statement(
  'rollups.rebuild',
  `insert into tick_rollup (family_id, span, bucket, tvl_at, tvl, usd, apy_at, apy, share_price_at,
     assets_per_share, imported)
   select $1, $2::int, b.bucket, tvl.at, tvl.tvl, tvl.usd, apy.at, apy.apy_7d, price.at, price.assets_per_share,
     coalesce(tvl.imported, false) or coalesce(apy.imported, false)
   from (select distinct at - at % $2::int as bucket from tick where family_id = $1 and at >= $3 and at < $4) b
   left join lateral (select at, tvl, usd, imported from tick where family_id = $1 and at >= b.bucket
     and at < b.bucket + $2::int and tvl is not null order by at desc limit 1) tvl on true
   left join lateral (select at, apy_7d, imported from tick where family_id = $1 and at >= b.bucket
     and at < b.bucket + $2::int and apy_7d is not null order by at desc limit 1) apy on true
   left join lateral (select at, assets_per_share from tick where family_id = $1 and at >= b.bucket
     and at < b.bucket + $2::int and assets_per_share is not null order by at desc limit 1) price on true
   on conflict (family_id, span, bucket) do update set tvl_at = excluded.tvl_at, tvl = excluded.tvl,
     usd = excluded.usd, apy_at = excluded.apy_at, apy = excluded.apy,
     share_price_at = excluded.share_price_at, assets_per_share = excluded.assets_per_share,
     imported = excluded.imported`,
);
const remove = statement(
  'rollups.remove',
  `delete from tick_rollup r where family_id = $1 and span = $2 and bucket >= $3 and bucket < $4
   and not exists (select 1 from tick where family_id = $1 and at >= r.bucket and at < r.bucket + $2::int)`,
);

export const rollups = {
  /** Recomputes the hours and days that contain [from, until] from their ticks. */
  async refresh(tx: Queryable, familyId: number, from: number, until: number): Promise<void> {
    for (const span of [HOUR, DAY]) {
      const first = bucketOf(from, span);
      const end = bucketOf(until, span) + span;
      await tx.query(rebuild, [familyId, span, first, end]);
      await tx.query(remove, [familyId, span, first, end]);
    }
  },
};
