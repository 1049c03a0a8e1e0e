import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

const total = statement(
  'positions.holderTotal',
  `select f.position_until as "until", coalesce(t.holders, 0) as holders, coalesce(t.shares, 0) as shares
   from family f left join holder_total t using (family_id) where f.slug = $1`,
);
const largest = statement(
  'positions.largest',
  `select wallet, shares from position
   where family_id = (select family_id from family where slug = $1) and shares > 0
   order by shares desc, wallet limit $2`,
);
// Shares only need adding up, so the database does it: a family may have millions of movements.
const at = statement(
  'positions.holdersAt',
  `select wallet, shares::numeric(78,0) as shares, count(*) over () as holders,
     (sum(shares) over ())::numeric(78,0) as total
   from (select wallet, sum(case when kind in (1, 3) then shares else -shares end) as shares from movement
     where family_id = $1 and block_time <= $2 group by wallet) held
   where shares > 0 order by held.shares desc, wallet limit $3`,
);
// One statement, so one snapshot: the server may be folding meanwhile.
const counted = statement(
  'positions.countHolders',
  `select coalesce(kept.holders, 0) as "keptHolders", coalesce(kept.shares, 0)::numeric(78,0) as "keptShares",
     coalesce(own.holders, 0) as "countedHolders", coalesce(own.shares, 0)::numeric(78,0) as "countedShares"
   from family f left join holder_total kept using (family_id),
   lateral (select count(*) as holders, sum(shares) as shares from position
     where family_id = f.family_id and shares > 0) own
   where f.slug = $1`,
  { long: true },
);

export interface Holders {
  /** Every movement up to this second is counted; null before the first. */
  readonly until: number | null;
  readonly holders: number;
  /** Of all of them. */
  readonly shares: bigint;
  readonly largest: readonly { readonly wallet: Address; readonly shares: bigint }[];
}

/** The totals of a family's holders as stored, and as computed from its positions. */
export interface HolderTotals {
  readonly keptHolders: number;
  readonly keptShares: bigint;
  readonly countedHolders: number;
  readonly countedShares: bigint;
}

/** The holders of a family: their number, and the largest. */
export async function getHolders(db: Queryable, slug: string, limit: number): Promise<Holders> {
  const [[all], rows] = await Promise.all([
    db.query<{ until: number; holders: number; shares: bigint }>(total, [slug]),
    db.query<{ wallet: Address; shares: bigint }>(largest, [slug, limit]),
  ]);
  const { until = 0, holders = 0, shares = 0n } = all ?? {};
  return { until: until === 0 ? null : until, holders, shares, largest: rows };
}

/** The same at an earlier time, from the movements. */
export async function getHoldersAt(
  db: Queryable,
  familyId: number,
  until: number,
  limit: number,
): Promise<Holders> {
  type Row = { wallet: Address; shares: bigint; holders: number; total: bigint };
  const rows = await db.query<Row>(at, [familyId, until, limit]);
  const largest = rows.map(({ wallet, shares }) => ({ wallet, shares }));
  return { until, holders: rows[0]?.holders ?? 0, shares: rows[0]?.total ?? 0n, largest };
}

/** Counts all positions of a family; undefined if the store does not have it. */
export async function findHolderTotals(
  db: Queryable,
  slug: string,
): Promise<HolderTotals | undefined> {
  const [row] = await db.query<HolderTotals>(counted, [slug]);
  return row;
}
