import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

const count = statement(
  'positions.count',
  `select count(*)::int as holders, coalesce(sum(shares), 0)::numeric(78,0) as shares from position
   where family_id = (select family_id from family where slug = $1) and shares > 0`,
);
const largest = statement(
  'positions.largest',
  `select wallet, shares from position
   where family_id = (select family_id from family where slug = $1) and shares > 0
   order by shares desc, wallet limit $2`,
);

export interface Holders {
  readonly holders: number;
  /** Of all of them. */
  readonly shares: bigint;
  readonly largest: readonly { readonly wallet: Address; readonly shares: bigint }[];
}

/** Who holds a family's shares: how many, and the largest. */
export async function getHolders(db: Queryable, slug: string, limit: number): Promise<Holders> {
  const [[all], rows] = await Promise.all([
    db.query<{ holders: number; shares: bigint }>(count, [slug]),
    db.query<{ wallet: Address; shares: bigint }>(largest, [slug, limit]),
  ]);
  return { holders: all!.holders, shares: all!.shares, largest: rows };
}
