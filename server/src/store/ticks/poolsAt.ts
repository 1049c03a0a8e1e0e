import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { getPoolsEverKnown, type KnownPool } from '../pools/everKnown.ts';
import { type Queryable, type Statement, statement } from '../store.ts';

/**
 * Reads a family's pools on a chain at some times: `columns` is what to read of a pool, as one text. First the chain's
 * newest state at each time, then the pools at that state: a removed pool has no row there. The rows are combined into
 * one text, because a row for each would cost more to transfer than to find. They are looked up by key even in a database
 * without statistics, where a join would compare all rows. The lowest time excludes older partitions, which "= any" does
 * not.
 */
export function poolsAtStatement(name: string, columns: string): Statement {
  return statement(
    name,
    `with own as materialized (select array_agg(newest.at order by asked.place) as times
     from unnest($3::bigint[]) with ordinality as asked(at, place)
     left join lateral (select c.at from chain_tick c
       where c.family_id = (select family_id from family where slug = $1) and c.chain_id = $2 and c.at <= asked.at
       order by c.at desc limit 1) newest on true)
   select null::bytea as "poolId", array_to_string(times, ',', '') as held from own
   union all
   (select pool_id, string_agg(at || ' ' || ${columns}, ',') from pool_tick
    where family_id = (select family_id from family where slug = $1) and chain_id = $2
      and pool_id = any($4::bytea[]) and at = any((select times from own)::bigint[])
      and at >= (select min(one) from own, unnest(times) one)
    group by pool_id)`,
  );
}

/** A pool that existed at a time, with the text of its columns. */
export interface PoolAt {
  readonly pool: KnownPool;
  readonly at: number;
  readonly held: string;
}

/** Returns a family's pools for each of these times; pools that did not exist then are left out. */
export async function getPoolsAt(
  db: Queryable,
  query: Statement,
  slug: string,
  instants: readonly number[],
): Promise<readonly (readonly PoolAt[])[]> {
  const known = await getPoolsEverKnown(db, slug);
  if (known.length === 0 || instants.length === 0) return instants.map(() => []);
  const chainIds = [...new Set(known.map(({ chainId }) => chainId))];
  const read = await Promise.all(
    chainIds.map((chainId) => {
      const pools = known.filter((pool) => pool.chainId === chainId);
      return readChain(db, query, { slug, chainId, pools, instants });
    }),
  );
  return instants.map((_, i) => read.flatMap((poolsAt) => poolsAt[i]!));
}

async function readChain(
  db: Queryable,
  query: Statement,
  {
    slug,
    chainId,
    pools,
    instants,
  }: {
    readonly slug: string;
    readonly chainId: number;
    readonly pools: readonly KnownPool[];
    readonly instants: readonly number[];
  },
): Promise<PoolAt[][]> {
  const ids = bytesColumn(pools.map(({ poolId }) => poolId));
  const asked = [slug, chainId, intColumn(instants), ids];
  const rows = await db.query<{ poolId: Hex | null; held: string }>(query, asked);
  const times = rows.find(({ poolId }) => poolId === null)!.held.split(',');
  const ofPools = rows.filter(({ poolId }) => poolId !== null);
  const byPool = new Map(ofPools.map(({ poolId, held }) => [poolId, byTime(held)]));
  return times.map((time) =>
    pools.flatMap((pool): PoolAt | [] => {
      const held = byPool.get(pool.poolId)?.get(time);
      return held === undefined ? [] : { pool, at: Number(time), held };
    }),
  );
}

function byTime(rows: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of rows.split(',')) {
    const end = row.indexOf(' ');
    found.set(row.slice(0, end), row.slice(end + 1));
  }
  return found;
}
