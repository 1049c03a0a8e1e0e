import type { Hex } from '../../domain/hex.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** State of a family around a past time. */
export interface FamilyMoment {
  readonly slug: string;
  readonly familyId: number;
  /** Its newest own tick up to the time; null before the first. */
  readonly at: number | null;
  /** Its first own tick after the time. */
  readonly next: number | null;
  readonly tickUntil: number;
  readonly hourlyUntil: number;
  readonly dailyUntil: number;
  /** How many of its sources, including its price feed, were ever registered, and up to where all of them were read. */
  readonly sources: number;
  readonly readUntil: number | null;
  /** Whether a gap before the time is recorded: filling it also changes later values. */
  readonly hasGap: boolean;
}

/** The block at which a family's state on a chain was read. */
export interface StateBlock {
  readonly familyId: number;
  readonly chainId: number;
  readonly block: number;
  /** Null if only the number is known. */
  readonly hash: Hex | null;
}

const families = statement(
  'moments.families',
  `select f.slug, f.family_id as "familyId", f.tick_until as "tickUntil", f.hourly_until as "hourlyUntil",
     f.daily_until as "dailyUntil", known.sources, known.until as "readUntil",
     (select at from tick t where t.family_id = f.family_id and not imported and at <= $3 order by at desc limit 1) as "at",
     (select at from tick t where t.family_id = f.family_id and not imported and at > $3 order by at limit 1) as "next",
     exists (select 1 from gap g where g.family_id = f.family_id and g.from_time < $3) as "hasGap"
   from unnest($1::text[], $2::text[]) as asked(slug, feed) join family f on f.slug = asked.slug
   cross join lateral (select count(*)::integer as sources, min(indexed_time) as until from source s
     where s.family_id = f.family_id or s.feed = asked.feed) known`,
);
// Only these gaps lack ticks: while logs are missing, the chain waits, and its last state is used.
const gaps = statement(
  'moments.gaps',
  `select family_id as "familyId", from_time as "fromTime", to_time as "toTime" from gap
   where family_id = any($1::smallint[]) and reason = 'state' and from_time < $2`,
);
const blocks = statement(
  'moments.blocks',
  `select asked.family_id as "familyId", asked.chain_id as "chainId", held.block_number as "block",
     coalesce(t.hash, recent.hash) as hash
   from unnest($1::smallint[], $2::bigint[], $3::bigint[]) as asked(family_id, chain_id, at)
   cross join lateral (select block_number from chain_tick c where c.family_id = asked.family_id
     and c.chain_id = asked.chain_id and c.at <= asked.at order by c.at desc limit 1) held
   left join tick_block t on t.chain_id = asked.chain_id and t.number = held.block_number
   left join block recent on recent.chain_id = asked.chain_id and recent.number = held.block_number`,
);

export const moments = {
  /** `feed`: the family's price feed, empty for none. */
  getFamilies: (
    db: Queryable,
    asked: readonly { readonly slug: string; readonly feed: string }[],
    time: number,
  ) =>
    db.query<FamilyMoment>(families, [
      textColumn(asked.map(({ slug }) => slug)),
      textColumn(asked.map(({ feed }) => feed)),
      time,
    ]),
  /** Gaps that began before a time, in which ticks may be missing. */
  getGaps: (db: Queryable, familyIds: readonly number[], before: number) =>
    db.query<{ familyId: number; fromTime: number; toTime: number }>(gaps, [
      intColumn(familyIds),
      before,
    ]),
  /** The blocks of the states in a family's tick, chain by chain. */
  async getBlocks(
    db: Queryable,
    asked: readonly { readonly familyId: number; readonly chainId: number; readonly at: number }[],
  ): Promise<StateBlock[]> {
    if (asked.length === 0) return [];
    return db.query<StateBlock>(blocks, [
      intColumn(asked.map(({ familyId }) => familyId)),
      intColumn(asked.map(({ chainId }) => chainId)),
      intColumn(asked.map(({ at }) => at)),
    ]);
  },
};
