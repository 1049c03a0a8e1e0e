import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { getPoolsEverKnown, type KnownPool } from '../pools/everKnown.ts';
import { type Queryable, statement } from '../store.ts';

export interface PoolValue {
  readonly chainId: number;
  readonly offchainId: string;
  readonly value: bigint;
}

// First the chain's newest state at each time, then the pool values at that state: a removed pool has no row there. The
// values are combined into one text, because a row for each would cost more to transfer than to find. They are looked
// up by key even in a database without statistics, where a join would compare all rows. The lowest time excludes older
// partitions, which "= any" does not.
const values = statement(
  'poolTicks.valuesAt',
  `with own as materialized (select array_agg(newest.at order by asked.place) as times
     from unnest($3::bigint[]) with ordinality as asked(at, place)
     left join lateral (select c.at from chain_tick c
       where c.family_id = (select family_id from family where slug = $1) and c.chain_id = $2 and c.at <= asked.at
       order by c.at desc limit 1) newest on true)
   select null::bytea as "poolId", array_to_string(times, ',', '') as held from own
   union all
   (select pool_id, string_agg(at || ' ' || value, ',') from pool_tick
    where family_id = (select family_id from family where slug = $1) and chain_id = $2
      and pool_id = any($4::bytea[]) and at = any((select times from own)::bigint[])
      and at >= (select min(one) from own, unnest(times) one)
    group by pool_id)`,
);
const invested = statement(
  'ticks.investedAt',
  `select asked.at, held.invested from unnest($2::bigint[]) as asked(at)
   cross join lateral (select t.invested from tick t
     where t.family_id = (select family_id from family where slug = $1) and t.at <= asked.at and t.invested is not null
     order by t.at desc limit 1) held`,
);

export const allocation = {
  /** The value of each pool of a family at these times; pools that did not exist then are left out. */
  async getPoolValues(
    db: Queryable,
    slug: string,
    instants: readonly number[],
  ): Promise<Map<number, PoolValue[]>> {
    const pools = await getPoolsEverKnown(db, slug);
    if (pools.length === 0 || instants.length === 0) return new Map();
    const chainIds = [...new Set(pools.map(({ chainId }) => chainId))];
    const read = await Promise.all(
      chainIds.map((chainId) => {
        const its = pools.filter((pool) => pool.chainId === chainId);
        return readChain(db, { slug, chainId, pools: its, instants });
      }),
    );
    return new Map(instants.map((at, i) => [at, read.flatMap((valuesAt) => valuesAt[i]!)]));
  },
  /** The amount that a family had invested at these times, if known. */
  async getInvested(db: Queryable, slug: string, instants: readonly number[]) {
    type Row = { readonly at: number; readonly invested: bigint };
    const rows = await db.query<Row>(invested, [slug, intColumn(instants)]);
    return new Map(rows.map((row) => [row.at, row.invested]));
  },
};

interface ChainAsked {
  readonly slug: string;
  readonly chainId: number;
  readonly pools: readonly KnownPool[];
  readonly instants: readonly number[];
}

/** The pool values at each time. */
async function readChain(
  db: Queryable,
  { slug, chainId, pools, instants }: ChainAsked,
): Promise<PoolValue[][]> {
  const ids = bytesColumn(pools.map(({ poolId }) => poolId));
  const asked = [slug, chainId, intColumn(instants), ids];
  const rows = await db.query<{ poolId: Hex | null; held: string }>(values, asked);
  const own = rows.find(({ poolId }) => poolId === null)!.held.split(',');
  const ofPools = rows.filter(({ poolId }) => poolId !== null);
  const held = new Map(ofPools.map((row) => [row.poolId, amountsByTime(row.held)]));
  return own.map((time) => {
    const there: PoolValue[] = [];
    for (const { poolId, offchainId } of pools) {
      const amount = held.get(poolId)?.get(time);
      if (amount !== undefined) there.push({ chainId, offchainId, value: BigInt(amount) });
    }
    return there;
  });
}

function amountsByTime(held: string): Map<string, string> {
  const amounts = new Map<string, string>();
  for (const one of held.split(',')) {
    const end = one.indexOf(' ');
    amounts.set(one.slice(0, end), one.slice(end + 1));
  }
  return amounts;
}
