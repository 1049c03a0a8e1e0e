import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** Ticks of a family in [from, to), whole buckets of `span` seconds. */
export interface ThinnedRange {
  readonly familyId: number;
  readonly span: number;
  readonly from: number;
  readonly to: number;
}

// Ticks that hourly and daily responses need: those of the rollups, also of families that show this family's pools. In
// addition, the last own tick of each bucket, and the first ticks, from which yields of a young family are computed.
const instants = statement(
  'thinning.instants',
  `select k.at from tick_rollup r, unnest(array[r.tvl_at, r.apy_at, r.share_price_at]) as k(at)
   where r.family_id = any($2::smallint[]) and r.span = $3::int and r.bucket >= $4 and r.bucket < $5 and k.at is not null
   union
   select max(at) from tick where family_id = $1 and at >= $4 and at < $5 and not imported group by at / $3::int
   union
   (select at from tick where family_id = $1 order by at limit 1)
   union
   (select at from tick where family_id = $1 and ratio_shares is not null order by at limit 1)`,
);
// A feeder's part is computed from the amount that its master had invested at or before the feeder's tick.
const removeTicks = statement(
  'thinning.removeTicks',
  `delete from tick where family_id = $1 and at >= $2 and at < $3 and at <> all($4::bigint[])
     and at <> all(array(select held.at from unnest($4::bigint[]) as asked(at),
       lateral (select t.at from tick t where t.family_id = $1 and t.at <= asked.at and t.invested is not null
         order by t.at desc limit 1) held))
   returning at`,
);
// An older state represents a chain that could not be read, so the newest at or before each tick is kept. The last of
// each bucket is kept for later reads on another chain, and the last with a price for events without one.
const states = statement(
  'thinning.states',
  `select held.at from unnest($6::bigint[]) as asked(at),
     lateral (select t.at from chain_tick t where t.family_id = $1 and t.chain_id = $2 and t.at <= asked.at
       order by t.at desc limit 1) held
   union
   select max(at) from chain_tick where family_id = $1 and chain_id = $2 and at >= $4 and at < $5 group by at / $3::int
   union
   select max(at) from chain_tick where family_id = $1 and chain_id = $2 and at >= $4 and at < $5
     and ratio_shares is not null group by at / $3::int`,
);
const removeStates = statement(
  'thinning.removeStates',
  `delete from chain_tick where family_id = $1 and chain_id = $2 and at >= $3 and at < $4 and at <> all($5::bigint[])
   returning at`,
);
// By pool, otherwise the index would be read from the first tick on. The first row of a pool stays, because its yields
// start there.
const removePools = statement(
  'thinning.removePools',
  `delete from pool_tick p where family_id = $1 and chain_id = $2
     and pool_id = any(array(select distinct pool_id from pool where family_id = $1 and chain_id = $2))
     and at >= $3 and at < $4 and at <> all($5::bigint[])
     and at > (select f.at from pool_tick f where f.family_id = p.family_id and f.chain_id = p.chain_id
       and f.pool_id = p.pool_id order by f.at limit 1)
   returning at`,
);
const next = statement(
  'thinning.next',
  `select least((select at from tick where family_id = $1 and at >= $2 order by at limit 1),
     (select min(held.at) from (select distinct chain_id from source where family_id = $1) own,
       lateral (select at from chain_tick t where t.family_id = $1 and t.chain_id = own.chain_id and t.at >= $2
         order by t.at limit 1) held)) as at`,
);
const setHourly = statement(
  'thinning.setHourly',
  'update family set hourly_until = $2 where family_id = $1',
);
const setDaily = statement(
  'thinning.setDaily',
  'update family set daily_until = $2 where family_id = $1',
);

type At = { readonly at: number };

export const thinning = {
  /** Removes the ticks that no hourly or daily response needs; returns how many rows that were. */
  async thin(
    tx: Queryable,
    { familyId, span, from, to }: ThinnedRange,
    {
      chainIds,
      shownWith,
    }: { readonly chainIds: readonly number[]; readonly shownWith: readonly number[] },
  ): Promise<{ readonly ticks: number; readonly states: number }> {
    const asked = intColumn([familyId, ...shownWith]);
    const kept = intColumn(
      timesOf(await tx.query<At>(instants, [familyId, asked, span, from, to])),
    );
    const gone = await tx.query<At>(removeTicks, [familyId, from, to, kept]);
    let removed = 0;
    for (const chainId of chainIds) {
      const rows = await tx.query<At>(states, [familyId, chainId, span, from, to, kept]);
      const params = [familyId, chainId, from, to, intColumn(timesOf(rows))];
      removed += (await tx.query<At>(removeStates, params)).length;
      removed += (await tx.query<At>(removePools, params)).length;
    }
    return { ticks: gone.length, states: removed };
  },
  /** The first time at or after `from` with anything to thin. */
  async findNext(tx: Queryable, familyId: number, from: number): Promise<number | null> {
    const [row] = await tx.query<{ at: number | null }>(next, [familyId, from]);
    return row!.at;
  },
  setHourlyUntil: (tx: Queryable, id: number, until: number) => tx.query(setHourly, [id, until]),
  setDailyUntil: (tx: Queryable, id: number, until: number) => tx.query(setDaily, [id, until]),
};

function timesOf(rows: readonly At[]): number[] {
  return rows.map(({ at }) => at);
}
