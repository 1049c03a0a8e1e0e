import { type Queryable, statement } from '../store.ts';

/** The stored state of a chain that was contacted at least once. Times are Unix seconds. */
export interface ChainRow {
  readonly chainId: number;
  readonly head: number | null;
  readonly headTime: number | null;
  readonly finalized: number | null;
  readonly indexedBlock: number | null;
  readonly indexedTime: number | null;
  readonly state: 'live' | 'syncing' | 'unreachable';
  readonly backfilled: boolean;
  readonly error: string | null;
  readonly errorSince: number | null;
  readonly updatedAt: number;
}

const all = statement(
  'chains.all',
  `select chain_id as "chainId", head, head_time as "headTime", finalized, indexed_block as "indexedBlock",
     indexed_time as "indexedTime", state, backfilled, error, error_since as "errorSince",
     updated_at as "updatedAt"
   from chain order by chain_id`,
);

export const chains = {
  getAll: (db: Queryable) => db.query<ChainRow>(all),
};
