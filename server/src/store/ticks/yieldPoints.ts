import type { Hex } from '../../domain/hex.ts';
import type { YieldPool } from '../../domain/vault/yieldBySource.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { getPoolsEverKnown, type KnownPool } from '../pools/everKnown.ts';
import { type Queryable, type Statement, statement } from '../store.ts';

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
// As in the allocation: a chain's own newest state at each instant, then what its pools had there, each as one text.
const pools = statement(
  'yield.poolsAt',
  `with own as materialized (select array_agg(newest.at order by asked.place) as times
     from unnest($3::bigint[]) with ordinality as asked(at, place)
     left join lateral (select c.at from chain_tick c
       where c.family_id = (select family_id from family where slug = $1) and c.chain_id = $2 and c.at <= asked.at
       order by c.at desc limit 1) newest on true)
   select null::bytea as "poolId", array_to_string(times, ',', '') as held from own
   union all
   (select pool_id, string_agg(at || ' ' || value || ' ' || share_price || ' ' || reward_per_year, ',') from pool_tick
    where family_id = (select family_id from family where slug = $1) and chain_id = $2
      and pool_id = any($4::bytea[]) and at = any((select times from own)::bigint[])
      and at >= (select min(one) from own, unnest(times) one)
    group by pool_id)`,
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
    const known = await getPoolsEverKnown(db, slug);
    if (known.length === 0 || instants.length === 0) return instants.map(() => []);
    const chainIds = [...new Set(known.map(({ chainId }) => chainId))];
    const read = await Promise.all(
      chainIds.map((chainId) => {
        const its = known.filter((pool) => pool.chainId === chainId);
        return readChain(db, { slug, chainId, known: its, instants });
      }),
    );
    return instants.map((_, i) => read.flatMap((poolsAt) => poolsAt[i]!));
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

interface ChainRequest {
  readonly slug: string;
  readonly chainId: number;
  readonly known: readonly KnownPool[];
  readonly instants: readonly number[];
}

async function readChain(
  db: Queryable,
  { slug, chainId, known, instants }: ChainRequest,
): Promise<YieldPool[][]> {
  const ids = bytesColumn(known.map(({ poolId }) => poolId));
  const requested = [slug, chainId, intColumn(instants), ids];
  const rows = await db.query<{ poolId: Hex | null; held: string }>(pools, requested);
  const times = rows.find(({ poolId }) => poolId === null)!.held.split(',');
  const held = new Map(rows.map(({ poolId, held }) => [poolId, byTime(held)]));
  return times.map((time) =>
    known.flatMap((pool): YieldPool | [] => {
      const read = held.get(pool.poolId)?.get(time);
      if (read === undefined) return [];
      const [value, sharePrice, rewardPerYear] = read.map(BigInt) as [bigint, bigint, bigint];
      return { ...pool, at: Number(time), value, sharePrice, rewardPerYear };
    }),
  );
}

function byTime(held: string): Map<string, readonly string[]> {
  return new Map(
    held.split(',').map((row) => {
      const [time, ...amounts] = row.split(' ');
      return [time!, amounts];
    }),
  );
}
