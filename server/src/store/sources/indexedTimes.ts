import { type Queryable, statement } from '../store.ts';

/** The time range in which a family is indexed on a chain. */
export interface IndexedTimes {
  readonly from: number;
  readonly until: number;
  /** The source and its start; another fingerprint means that it was read again. */
  readonly fingerprint: string;
}

const find = statement(
  'sources.indexedTimes',
  `select start_time as "from", indexed_time as until, fingerprint from source
   where family_id = (select family_id from family where slug = $1) and chain_id = $2
     and start_time is not null and indexed_block >= start_block`,
);

/** Undefined before the first read. */
export async function findIndexedTimes(
  db: Queryable,
  slug: string,
  chainId: number,
): Promise<IndexedTimes | undefined> {
  const [row] = await db.query<IndexedTimes>(find, [slug, chainId]);
  return row;
}
