import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A block at which states were read. */
export interface TickBlock {
  readonly number: number;
  /** A time at which it was the newest block. */
  readonly at: number;
  /** Null if only its number is known. */
  readonly hash: Hex | null;
}

/** A stored block, and a time at which it was the newest one. */
export interface KnownBlock {
  readonly number: number;
  readonly at: number;
}

// Families on other grids read the same block at other times. A hash that is missing here may be among the newest
// blocks, which are written first.
const insert = statement(
  'tickBlocks.insert',
  `insert into tick_block (chain_id, number, at, hash)
   select $1, given.number, given.at, coalesce(given.hash, recent.hash)
   from unnest($2::bigint[], $3::bigint[], $4::bytea[]) as given(number, at, hash)
   left join block recent on recent.chain_id = $1 and recent.number = given.number
   on conflict (chain_id, number) do update set at = least(tick_block.at, excluded.at),
     hash = coalesce(excluded.hash, tick_block.hash)`,
);
const removeFrom = statement(
  'tickBlocks.removeFrom',
  'delete from tick_block where chain_id = $1 and number >= $2 and (number > $2 or at >= $3)',
);
// A number between two stored blocks stands for the lower one, the last whose time is known.
const upTo = statement(
  'tickBlocks.upTo',
  `select number, at from tick_block where chain_id = $1 and number <= $2 order by number desc limit 1`,
);
const above = statement(
  'tickBlocks.above',
  'select number, at from tick_block where chain_id = $1 and number > $2 order by number limit 1',
);
const ofHash = statement(
  'tickBlocks.ofHash',
  `select number from tick_block where chain_id = $1 and hash = $2::bytea
   union all select number from block where chain_id = $1 and hash = $2::bytea limit 1`,
);
// The newest final block came after every time at which the block before it was the newest.
const finalUntil = statement(
  'tickBlocks.finalUntil',
  `select c.chain_id as "chainId", coalesce(held.at, -1) as "until" from chain c
   left join lateral (select at from tick_block t where t.chain_id = c.chain_id and t.number <= c.finalized
     order by t.number desc offset 1 limit 1) held on true`,
);

/** The blocks of ticks, stored after the newest blocks are pruned. */
export const tickBlocks = {
  async insert(tx: Queryable, chainId: number, rows: readonly TickBlock[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      chainId,
      intColumn(rows.map(({ number }) => number)),
      intColumn(rows.map(({ at }) => at)),
      bytesColumn(rows.map(({ hash }) => hash)),
    ]);
  },
  /** Call it after a reorg: from the time of the last remaining block on, the newest block may be a different one. */
  removeFrom: (
    tx: Queryable,
    chainId: number,
    last: { readonly number: number; readonly time: number },
  ) => tx.query(removeFrom, [chainId, last.number, last.time]),
  /** The block, or the newest stored one below it. */
  async findUpTo(db: Queryable, chainId: number, number: number): Promise<KnownBlock | undefined> {
    const [row] = await db.query<KnownBlock>(upTo, [chainId, number]);
    return row;
  },
  async findAbove(db: Queryable, chainId: number, number: number): Promise<KnownBlock | undefined> {
    const [row] = await db.query<KnownBlock>(above, [chainId, number]);
    return row;
  },
  /** The number of the block with this hash, if the chain has it. */
  async findByHash(db: Queryable, chainId: number, hash: Hex): Promise<number | undefined> {
    const [row] = await db.query<{ number: number }>(ofHash, [chainId, bytes(hash)]);
    return row?.number;
  },
  /** For each chain, a time up to which no block can be reorged; -1 if unknown. */
  async getFinalUntil(db: Queryable): Promise<ReadonlyMap<number, number>> {
    const rows = await db.query<{ chainId: number; until: number }>(finalUntil);
    return new Map(rows.map(({ chainId, until }) => [chainId, until]));
  },
};
