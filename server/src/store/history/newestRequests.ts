import { type Queryable, statement } from '../store.ts';

const newestRequests = statement(
  'history.newestRequests',
  `select h.block_number as block, h.shares, h.assets from family f join history h using (family_id)
   where f.slug = $1 and h.chain_id = $2 and h.type = 3 and h.block_number <= $3
   order by h.block_time desc, h.block_number desc, h.log_index desc limit $4`,
);

export interface StoredRequest {
  readonly block: number;
  readonly shares: bigint;
  readonly assets: bigint | null;
}

/** The newest redemptions in a family's history on a chain, up to a block. */
export function getNewestRequests(
  db: Queryable,
  slug: string,
  chainId: number,
  upTo: number,
  most: number,
): Promise<StoredRequest[]> {
  return db.query<StoredRequest>(newestRequests, [slug, chainId, upTo, most]);
}
