import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The amount that a family could withdraw on one chain at one time, from the last earlier read. */
export interface ChainWithdrawable {
  readonly at: number;
  readonly chainId: number;
  readonly idle: bigint;
  /** Null without pools, and if one of them was read without its liquidity. */
  readonly available: bigint | null;
}

// The pools are looked up by key, because a condition on the time alone would read all rows of a chain.
const ofChain = statement(
  'chainTicks.withdrawableAt',
  `select asked.at, $2::bigint as "chainId", c.idle, (
     select case when bool_or(p.available_liquidity is null and p.value > 0) then null
       else sum(least(p.value, p.available_liquidity))::numeric(78,0) end
     from (select distinct pool_id from pool where family_id = c.family_id and chain_id = $2) known
     join pool_tick p on p.family_id = c.family_id and p.chain_id = $2 and p.pool_id = known.pool_id
       and p.at = c.at) as available
   from unnest($3::bigint[]) as asked(at)
   cross join lateral (select t.family_id, t.at, t.idle from chain_tick t
     where t.family_id = (select family_id from family where slug = $1) and t.chain_id = $2 and t.at <= asked.at
     order by t.at desc limit 1) c
   order by asked.at`,
);

/** In the order of the chains, each by time; a time before a chain's first state is left out. */
export async function getWithdrawable(
  db: Queryable,
  slug: string,
  chainIds: readonly number[],
  instants: readonly number[],
): Promise<ChainWithdrawable[]> {
  const times = intColumn(instants);
  const rows = await Promise.all(
    chainIds.map((chainId) => db.query<ChainWithdrawable>(ofChain, [slug, chainId, times])),
  );
  return rows.flat();
}
