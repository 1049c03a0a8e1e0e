import { type Queryable, statement } from '../store.ts';

const request = statement(
  'gapRequests.request',
  `update gap set requested_at = $5
   where family_id = $1 and chain_id = $2 and from_block <= $4 and to_block >= $3`,
);
const newest = statement(
  'gapRequests.newest',
  'select max(requested_at) as "requestedAt" from gap where chain_id = $1',
);

/** Operator requests to fill gaps at once (`assay fill`). */
export const gapRequests = {
  /** For every gap that overlaps these blocks. */
  request: (
    tx: Queryable,
    source: { readonly familyId: number; readonly chainId: number },
    range: { readonly fromBlock: number; readonly toBlock: number },
    now: number,
  ) => tx.query(request, [source.familyId, source.chainId, range.fromBlock, range.toBlock, now]),
  /** When a gap of the chain was last requested, in Unix seconds; null: never. */
  async findNewest(db: Queryable, chainId: number): Promise<number | null> {
    const rows = await db.query<{ requestedAt: number | null }>(newest, [chainId]);
    return rows[0]?.requestedAt ?? null;
  },
};
