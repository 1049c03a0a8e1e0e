import type { Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** Progress of a chain; written by the process that leads it. */
export interface ChainProgress {
  readonly head: number;
  readonly headTime: number;
  readonly finalized: number;
  readonly indexedBlock: number | null;
  readonly indexedTime: number | null;
  readonly state: 'live' | 'syncing';
  readonly backfilled: boolean;
  /** Why part of the chain cannot be read, as text without secrets. */
  readonly error: string | null;
  readonly now: number;
}

const bind = statement(
  'chains.bind',
  `insert into chain (chain_id, genesis_hash, state, updated_at) values ($1, $2::bytea, 'syncing', $3)
   on conflict (chain_id) do nothing`,
);
const binding = statement(
  'chains.binding',
  'select genesis_hash as "genesisHash", backfilled from chain where chain_id = $1',
);
const progress = statement(
  'chains.progress',
  `update chain set head = $2, head_time = $3, finalized = $4, indexed_block = coalesce($5, indexed_block),
     indexed_time = coalesce($6, indexed_time), state = $7, backfilled = backfilled or $8, error = $9,
     error_since = case when $9::text is null then null else coalesce(error_since, $10) end, updated_at = $10
   where chain_id = $1`,
);
const rolledBack = statement(
  'chains.rolledBack',
  'update chain set indexed_block = $2, indexed_time = $3, updated_at = $4 where chain_id = $1',
);
const unreachable = statement(
  'chains.unreachable',
  `insert into chain (chain_id, genesis_hash, state, error, error_since, updated_at)
   values ($1, ''::bytea, 'unreachable', $2, $3, $3)
   on conflict (chain_id) do update set state = 'unreachable', error = excluded.error,
     error_since = coalesce(chain.error_since, excluded.error_since), updated_at = excluded.updated_at`,
);
const failed = statement(
  'chains.failed',
  // Does not update `updated_at`, because nothing was read.
  'update chain set error = $2, error_since = coalesce(error_since, $3) where chain_id = $1',
);
const rebind = statement(
  'chains.rebind',
  `update chain set genesis_hash = $2::bytea where chain_id = $1 and genesis_hash = ''::bytea`,
);

export const chainProgress = {
  /** The genesis that the store is bound to; undefined before the chain was first read. */
  async findGenesis(db: Queryable, chainId: number): Promise<Hex | undefined> {
    const rows = await db.query<{ genesisHash: Hex }>(binding, [chainId]);
    const hash = rows[0]?.genesisHash;
    return hash === '0x' ? undefined : hash;
  },
  /** Records that indexing stopped for a reason other than the chain. */
  failed: (db: Queryable, chainId: number, safeText: string, now: number) =>
    db.query(failed, [chainId, safeText, now]),
  /** Binds the store to a chain by its genesis, unless it is already bound. Returns the genesis that it is bound to. */
  async bind(tx: Queryable, chainId: number, genesis: Hex, now: number) {
    await tx.query(bind, [chainId, bytes(genesis), now]);
    await tx.query(rebind, [chainId, bytes(genesis)]);
    const rows = await tx.query<{ genesisHash: Hex; backfilled: boolean }>(binding, [chainId]);
    return rows[0]!;
  },
  update: (tx: Queryable, chainId: number, row: ChainProgress) =>
    tx.query(progress, [
      chainId,
      row.head,
      row.headTime,
      row.finalized,
      row.indexedBlock,
      row.indexedTime,
      row.state,
      row.backfilled,
      row.error,
      row.now,
    ]),
  rolledBack: (
    tx: Queryable,
    chainId: number,
    block: { number: number; time: number },
    now: number,
  ) => tx.query(rolledBack, [chainId, block.number, block.time, now]),
  unreachable: (tx: Queryable, chainId: number, safeText: string, now: number) =>
    tx.query(unreachable, [chainId, safeText, now]),
};
