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

const all = statement(
  'familyGaps.all',
  `select ${COLUMNS} from gap g join family f on f.family_id = g.family_id
   order by g.chain_id, f.slug, g.from_block`,
);

/** Every gap, also those of families that are no longer configured. */
export function getFamilyGaps(db: Queryable): Promise<FamilyGap[]> {
  return db.query<FamilyGap>(all);
}
