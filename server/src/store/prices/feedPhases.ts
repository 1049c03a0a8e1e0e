import type { Address } from '../../domain/hex.ts';
import { boolColumn, bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The aggregator behind a feed from the end of a block on, until the next row. */
export interface FeedPhaseRow {
  readonly blockNumber: number;
  /** The proxy's own number; null for a contract without phases. */
  readonly phase: number | null;
  /** Null: there is none, or, if not located, none could be identified. */
  readonly aggregator: Address | null;
  readonly decimals: number;
  /** False: it changed at some earlier block, whose state no RPC endpoint could return. */
  readonly located: boolean;
}

const insert = statement(
  'feedPhases.insert',
  `insert into feed_phase (feed, chain_id, block_number, phase, aggregator, decimals, located)
   select $1, $2, * from unnest($3::bigint[], $4::int[], $5::bytea[], $6::smallint[], $7::boolean[])`,
);
const ofFeed = statement(
  'feedPhases.ofFeed',
  `select block_number as "blockNumber", phase, aggregator, decimals, located from feed_phase
   where feed = $1 and chain_id = $2 order by block_number`,
);
const removeAbove = statement(
  'feedPhases.removeAbove',
  'delete from feed_phase where feed = $1 and chain_id = $2 and block_number > $3',
);

export const feedPhases = {
  async insert(tx: Queryable, feed: string, chainId: number, rows: readonly FeedPhaseRow[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      feed,
      chainId,
      intColumn(rows.map((row) => row.blockNumber)),
      intColumn(rows.map((row) => row.phase)),
      bytesColumn(rows.map((row) => row.aggregator)),
      intColumn(rows.map((row) => row.decimals)),
      boolColumn(rows.map((row) => row.located)),
    ]);
  },
  getOfFeed: (db: Queryable, feed: string, chainId: number) =>
    db.query<FeedPhaseRow>(ofFeed, [feed, chainId]),
  /** With block −1: all of them. */
  removeAbove: (tx: Queryable, feed: string, chainId: number, block: number) =>
    tx.query(removeAbove, [feed, chainId, block]),
};
