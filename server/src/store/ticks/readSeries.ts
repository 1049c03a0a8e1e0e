import { bucketOf } from '../../domain/time.ts';
import { type Queryable, statement } from '../store.ts';

export interface TvlPoint {
  readonly at: number;
  readonly value: bigint;
  readonly usd: number | null;
}

export interface ApyPoint {
  readonly at: number;
  readonly value: number;
}

export interface SharePricePoint {
  readonly at: number;
  readonly value: bigint;
}

/** The parts of a family's value at one time. */
export interface SplitPoint {
  readonly at: number;
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
}

/** Selects the newest `limit` ticks in [from, to]. Unix seconds. */
export interface SeriesRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

interface SeriesColumns {
  /** The other columns of a row, from tick and from tick_rollup. */
  readonly tick: string;
  readonly rollup: string;
  /** The tick column that must be set for a tick to belong to the series. */
  readonly held: string;
  readonly rollupAt: string;
  /** The source of the rollup columns, if tick_rollup itself does not have them. */
  readonly rollupFrom?: string;
}

/** Every tick of a series, and its last of each hour or day. */
function seriesOf<Point>(name: string, columns: SeriesColumns) {
  const { tick, rollup, held, rollupAt, rollupFrom = 'tick_rollup' } = columns;
  const raw = statement(
    `series.${name}Raw`,
    `select at, ${tick} from tick where family_id = (select family_id from family where slug = $1)
       and at >= $2 and at <= $3 and ${held} is not null order by at desc limit $4`,
  );
  // One statement, so that whole and partial buckets come from one snapshot.
  const lastOf = (from: string, to: string) =>
    `(select at, ${tick} from tick where family_id = (select family_id from family where slug = $1)
       and at >= ${from} and at <= ${to} and ${held} is not null order by at desc limit 1)`;
  const bucketed = statement(
    `series.${name}Bucketed`,
    `select * from (
       ${lastOf('$7', '$8')}
       union all
       (select ${rollupAt} as at, ${rollup} from ${rollupFrom}
        where family_id = (select family_id from family where slug = $1) and span = $2
          and bucket >= $3 and bucket < $4 and ${rollupAt} is not null order by bucket desc limit $9)
       union all
       ${lastOf('$5', '$6')}
     ) points order by at desc limit $9`,
  );
  return {
    /** Every tick of the range, oldest first. */
    async getRaw(db: Queryable, slug: string, { from, to, limit }: SeriesRange) {
      const rows = await db.query<Point>(raw, [slug, from, to, limit]);
      return rows.reverse();
    },
    /** The last tick of each bucket of `span` seconds, among the ticks of the range; oldest first. */
    async getLastOfEach(db: Queryable, slug: string, span: number, range: SeriesRange) {
      const { whole, head, tail } = cut(range, span);
      const bounds = [whole.from, whole.end, head.from, head.to, tail.from, tail.to];
      const rows = await db.query<Point>(bucketed, [slug, span, ...bounds, range.limit]);
      return rows.reverse();
    },
  };
}

/**
 * The whole buckets of a range, [from, end), and the partial ones at its ends; for an empty range, `from` is above
 * `to`.
 */
function cut({ from, to }: SeriesRange, span: number) {
  const start = bucketOf(from + span - 1, span);
  const end = bucketOf(to + 1, span);
  // Both ends are in one bucket, so there is only that piece.
  if (start > end) return { whole: { from: 0, end: 0 }, head: { from, to }, tail: EMPTY };
  const head = { from, to: start - 1 };
  return { whole: { from: start, end }, head, tail: { from: end, to } };
}

const EMPTY = { from: 1, to: 0 };

const SPLIT = `idle, invested, pending_exits as "pendingExits",
  pending_redemption_assets as "pendingRedemptionAssets"`;

export const series = {
  tvl: seriesOf<TvlPoint>('tvl', {
    tick: 'tvl as value, usd',
    rollup: 'tvl as value, usd',
    held: 'tvl',
    rollupAt: 'tvl_at',
  }),
  apy: seriesOf<ApyPoint>('apy', {
    tick: 'apy_7d as value',
    rollup: 'apy as value',
    held: 'apy_7d',
    rollupAt: 'apy_at',
  }),
  sharePrice: seriesOf<SharePricePoint>('sharePrice', {
    tick: 'assets_per_share as value',
    rollup: 'assets_per_share as value',
    held: 'assets_per_share',
    rollupAt: 'share_price_at',
  }),
  // From the tick that represents its hour or day in the TVL series; an imported tick has no parts.
  split: seriesOf<SplitPoint>('split', {
    tick: SPLIT,
    rollup: SPLIT,
    held: 'idle',
    rollupAt: 'split_at',
    rollupFrom: `(select r.family_id, r.span, r.bucket, t.at as split_at, t.idle, t.invested, t.pending_exits,
        t.pending_redemption_assets
      from tick_rollup r join tick t on t.family_id = r.family_id and t.at = r.tvl_at
      where t.idle is not null) split`,
  }),
};
