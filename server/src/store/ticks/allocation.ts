import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

export interface PoolValue {
  readonly at: number;
  readonly chainId: number;
  readonly offchainId: string;
  readonly value: bigint;
}

interface KnownPool {
  readonly chainId: number;
  readonly poolId: Hex;
  readonly offchainId: string;
}

const known = statement(
  'pools.everKnown',
  `select chain_id as "chainId", pool_id as "poolId", offchain_id as "offchainId"
   from (select distinct on (chain_id, pool_id) chain_id, pool_id, offchain_id
     from pool where family_id = (select family_id from family where slug = $1)
     order by chain_id, pool_id, epoch desc, block_number desc, log_index desc) newest
   order by chain_id, offchain_id collate "C", pool_id`,
);
// What a pool had at the chain's own newest state: one that was removed has no row there any more. Both are looked up one by
// one, whatever the planner believes: without statistics, as in a new database, it would compare all with all.
const values = statement(
  'poolTicks.valuesAt',
  `with f as materialized (select family_id from family where slug = $1),
   held as materialized (select asked.at, chain.id, newest.at as own
     from f cross join unnest($2::bigint[]) as asked(at) cross join unnest($5::bigint[]) as chain(id)
     cross join lateral (select c.at from chain_tick c
       where c.family_id = f.family_id and c.chain_id = chain.id and c.at <= asked.at
       order by c.at desc limit 1) newest)
   select held.at, k.chain_id as "chainId", k.pool_id as "poolId", known.value
   from f cross join held
   join unnest($3::bigint[], $4::bytea[]) with ordinality as k(chain_id, pool_id, place) on k.chain_id = held.id
   cross join lateral (select p.value from pool_tick p
     where p.family_id = f.family_id and p.chain_id = k.chain_id and p.pool_id = k.pool_id and p.at = held.own
     limit 1) known
   order by held.at, k.place`,
);
const invested = statement(
  'ticks.investedAt',
  `select asked.at, held.invested from unnest($2::bigint[]) as asked(at)
   cross join lateral (select t.invested from tick t
     where t.family_id = (select family_id from family where slug = $1) and t.at <= asked.at and t.invested is not null
     order by t.at desc limit 1) held`,
);

export const allocation = {
  /** What each pool of a family held at these instants. */
  async getPoolValues(
    db: Queryable,
    slug: string,
    instants: readonly number[],
  ): Promise<PoolValue[]> {
    const pools = await db.query<KnownPool>(known, [slug]);
    if (pools.length === 0 || instants.length === 0) return [];
    const rows = await db.query<{ at: number; chainId: number; poolId: Hex; value: bigint }>(
      values,
      [
        slug,
        intColumn(instants),
        intColumn(pools.map(({ chainId }) => chainId)),
        bytesColumn(pools.map(({ poolId }) => poolId)),
        intColumn([...new Set(pools.map(({ chainId }) => chainId))]),
      ],
    );
    const names = new Map(pools.map((pool) => [`${pool.chainId} ${pool.poolId}`, pool.offchainId]));
    return rows.map(({ at, chainId, poolId, value }) => {
      return { at, chainId, offchainId: names.get(`${chainId} ${poolId}`)!, value };
    });
  },
  /** What a family had invested at these instants, where it is known. */
  async getInvested(db: Queryable, slug: string, instants: readonly number[]) {
    type Row = { readonly at: number; readonly invested: bigint };
    const rows = await db.query<Row>(invested, [slug, intColumn(instants)]);
    return new Map(rows.map((row) => [row.at, row.invested]));
  },
};
