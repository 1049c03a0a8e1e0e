import type { YieldPool } from '../../domain/vault/yieldBySource.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, type Statement, statement } from '../store.ts';
import { getPoolsAt, type PoolAt, poolsAtStatement } from './poolsAt.ts';

/** A family's shares and their price at an instant. */
export interface PricedTick {
  readonly at: number;
  readonly shares: bigint;
  readonly ratioAssets: bigint;
  readonly ratioShares: bigint;
  readonly invested: bigint;
}

const ticks = statement(
  'yield.ticks',
  `select at, total_shares as shares, ratio_assets as "ratioAssets", ratio_shares as "ratioShares", invested from tick
   where family_id = (select family_id from family where slug = $1) and at = any($2::bigint[])
     and total_shares is not null and ratio_assets > 0 and ratio_shares > 0 and invested is not null order by at`,
);
const pools = poolsAtStatement(
  'yield.poolsAt',
  "value || ' ' || share_price || ' ' || reward_per_year",
);
// What a transfer sends another wallet receives, and what a bridge burns it mints elsewhere: both add up to 0. An index
// has only these movements, because most others are deposits and exits with assets.
const freeShares = freeSharesWhere('yield.freeShares', 'true');
// Apart, because the index lacks the chain.
const freeSharesWithout = freeSharesWhere(
  'yield.freeSharesWithout',
  '(m.kind = 2 or m.chain_id <> all($4::bigint[]))',
);

function freeSharesWhere(name: string, condition: string): Statement {
  return statement(
    name,
    `select asked.place::integer as "place", sum(case m.kind when 3 then m.shares else -m.shares end)::numeric(78,0) as shares
   from family f
   join unnest($2::bigint[], $3::bigint[]) with ordinality as asked(after, until, place) on true
   join movement m on m.family_id = f.family_id and m.block_time > asked.after and m.block_time <= asked.until
     and (m.kind in (3, 4) or (m.kind = 2 and m.assets = 0)) and ${condition}
   where f.slug = $1 group by asked.place`,
  );
}

export const yieldPoints = {
  /** The ticks at these instants whose share price is known, oldest first. */
  getTicks: (db: Queryable, slug: string, instants: readonly number[]) =>
    db.query<PricedTick>(ticks, [slug, intColumn(instants)]),
  /** What each pool was at these instants; a pool that was not there then is left out. */
  async getPools(
    db: Queryable,
    slug: string,
    instants: readonly number[],
  ): Promise<readonly (readonly YieldPool[])[]> {
    const read = await getPoolsAt(db, pools, slug, instants);
    return read.map((poolsAt) => poolsAt.map(toYieldPool));
  },
  /**
   * For each instant: shares minted without a deposit since the one before, less shares burned without a payment. On the
   * `settledElsewhere` chains, such mints and burns are sales and bridges: only shares burned beside a payment count.
   */
  async getFreeShares(
    db: Queryable,
    slug: string,
    instants: readonly number[],
    settledElsewhere: readonly number[],
  ): Promise<readonly bigint[]> {
    type Row = { readonly place: number; readonly shares: bigint };
    const asked = [slug, intColumn(instants.slice(0, -1)), intColumn(instants.slice(1))];
    const rows =
      settledElsewhere.length === 0
        ? await db.query<Row>(freeShares, asked)
        : await db.query<Row>(freeSharesWithout, [...asked, intColumn(settledElsewhere)]);
    const found = new Map(rows.map(({ place, shares }) => [place, shares]));
    return instants.map((_, i) => found.get(i) ?? 0n);
  },
};

function toYieldPool({ pool, at, held }: PoolAt): YieldPool {
  const [value, sharePrice, rewardPerYear] = held.split(' ').map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  return { ...pool, at, value, sharePrice, rewardPerYear };
}
