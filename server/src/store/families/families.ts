import { bucketOf, DAY } from '../../domain/time.ts';
import { intColumn, textColumn } from '../columns.ts';
import { knownUntilOf } from '../sources/knownUntil.ts';
import { type Queryable, statement } from '../store.ts';

export interface FamilyRow {
  readonly familyId: number;
  readonly slug: string;
  readonly tickUntil: number;
  readonly positionUntil: number;
  /** Days before these keep only the ticks that represent hours and days. */
  readonly hourlyUntil: number;
  readonly dailyUntil: number;
  /** Decimals of its base asset, equal on every chain; null until they are read from a chain. */
  readonly assetDecimals: number | null;
}

const COLUMNS = `family_id as "familyId", slug, tick_until as "tickUntil", position_until as "positionUntil",
  hourly_until as "hourlyUntil", daily_until as "dailyUntil",
  (select max(asset_decimals) from vault where vault.family_id = family.family_id) as "assetDecimals"`;

// Only the missing ones: an insert that meets a conflict still uses up a number, of which there are 32,767.
const insert = statement(
  'families.insert',
  `insert into family (slug) select slug from unnest($1::text[]) with ordinality as asked(slug, place)
   where not exists (select 1 from family f where f.slug = asked.slug) order by place
   on conflict (slug) do nothing`,
);
const all = statement('families.all', `select ${COLUMNS} from family order by family_id`);
const lock = statement(
  'families.lock',
  `select ${COLUMNS} from family where family_id = any($1::smallint[]) order by family_id for update`,
);
// Due: rows exist between the last fold and the point that every readable source has passed. The first row above is
// read in index order; a bare EXISTS may be planned as a scan, which is slow when nothing is due.
const due = statement(
  'families.due',
  `select f.family_id as "familyId" from family f
   join unnest($1::smallint[], $2::text[]) as asked(family_id, feed) on asked.family_id = f.family_id,
   lateral (${knownUntilOf('f.family_id', 'asked.feed')}) known
   where (select m.block_time from movement m where m.family_id = f.family_id
       and m.block_time > f.position_until order by m.family_id, m.block_time limit 1) <= known.until
     or exists (select 1 from source s where s.family_id = f.family_id
       and (select t.at from chain_tick t where t.family_id = s.family_id and t.chain_id = s.chain_id
         and t.at > f.tick_until order by t.family_id, t.chain_id, t.at limit 1) <= known.until)
     or (asked.feed is not null and (select h.block_time from history h where h.family_id = f.family_id
       and h.block_time > f.tick_until and h.type = 1 and h.usd is null
       order by h.family_id, h.block_time limit 1) <= known.until)`,
);
// Notifies servers at commit, so that they drop their cached responses of these families.
const notify = statement(
  'families.notify',
  `select pg_notify('assay_family', slug) from family where family_id = any($1::smallint[])`,
);
// Thinned days whose ticks may have been rebuilt are thinned again.
const setTickUntil = statement(
  'families.setTickUntil',
  `update family set tick_until = $2, hourly_until = least(hourly_until, $3), daily_until = least(daily_until, $3)
   where family_id = $1`,
);
const setPositionUntil = statement(
  'families.setPositionUntil',
  'update family set position_until = $2 where family_id = $1',
);

export const families = {
  async register(tx: Queryable, slugs: readonly string[]): Promise<FamilyRow[]> {
    await tx.query(insert, [textColumn(slugs)]);
    return tx.query<FamilyRow>(all);
  },
  getAll: (db: Queryable) => db.query<FamilyRow>(all),
  /** Locks the families until the transaction ends, always in the same order, to prevent deadlocks. */
  lock: (tx: Queryable, ids: readonly number[]) => tx.query<FamilyRow>(lock, [intColumn(ids)]),
  /** Those of the requested families that have something to fold. */
  async getDue(tx: Queryable, asked: readonly { familyId: number; feed: string | null }[]) {
    const rows = await tx.query<{ familyId: number }>(due, [
      intColumn(asked.map(({ familyId }) => familyId)),
      textColumn(asked.map(({ feed }) => feed)),
    ]);
    return new Set(rows.map((row) => row.familyId));
  },
  notify: (tx: Queryable, ids: readonly number[]) => tx.query(notify, [intColumn(ids)]),
  /** `madeFrom`: ticks were made from this time on. */
  setTickUntil: (tx: Queryable, id: number, until: number, madeFrom = until) =>
    tx.query(setTickUntil, [id, until, bucketOf(Math.max(0, madeFrom), DAY)]),
  setPositionUntil: (tx: Queryable, id: number, until: number) =>
    tx.query(setPositionUntil, [id, until]),
};
