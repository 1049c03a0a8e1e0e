import { type Queryable, statement } from '../store.ts';
import type { Gap } from './gaps.ts';

/** A gap with the slug of its family. */
export interface FamilyGap extends Gap {
  readonly family: string;
  /** When the operator last requested to fill it; null: never. */
  readonly requestedAt: number | null;
}

const COLUMNS = `g.family_id as "familyId", f.slug as "family", g.chain_id as "chainId", g.reason,
  g.from_block as "fromBlock", g.to_block as "toBlock", g.from_time as "fromTime", g.to_time as "toTime",
  g.found_at as "foundAt", g.initial, g.requested_at as "requestedAt"`;

const ALL = `select ${COLUMNS} from gap g join family f on f.family_id = g.family_id
   order by g.chain_id, f.slug, g.from_block`;
const all = statement('familyGaps.all', ALL);

/** Every gap, including those of families that are no longer configured. */
export function getFamilyGaps(db: Queryable): Promise<FamilyGap[]> {
  return db.query<FamilyGap>(all);
}

/** The same on a plain session, for commands that only inspect a store. */
export async function inspectGaps(session: {
  exec(text: string): Promise<{ readonly rows: readonly object[] }>;
}): Promise<FamilyGap[]> {
  const { rows } = await session.exec(ALL);
  return (rows as FamilyGap[]).map((row) => ({
    ...row,
    familyId: Number(row.familyId),
    chainId: Number(row.chainId),
    fromBlock: Number(row.fromBlock),
    toBlock: Number(row.toBlock),
    fromTime: Number(row.fromTime),
    toTime: Number(row.toTime),
    foundAt: Number(row.foundAt),
    requestedAt: row.requestedAt === null ? null : Number(row.requestedAt),
  }));
}
