import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

export interface BlockRow {
  readonly number: number;
  readonly hash: Hex;
  readonly time: number;
  /** Number of its logs, and the log filter they were read with; null if unknown. */
  readonly logs: number | null;
  readonly question: Hex | null;
}

const ofChain = statement(
  'blocks.ofChain',
  'select number, hash, time, logs, question from block where chain_id = $1 order by number',
);
const insert = statement(
  'blocks.insert',
  `insert into block (chain_id, number, hash, time, logs, question)
   select $1, * from unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::integer[], $6::bytea[])
   on conflict (chain_id, number) do update
     set hash = excluded.hash, time = excluded.time, logs = excluded.logs, question = excluded.question`,
);
const removeBelow = statement(
  'blocks.removeBelow',
  'delete from block where chain_id = $1 and number < $2',
);
const removeAbove = statement(
  'blocks.removeAbove',
  'delete from block where chain_id = $1 and number > $2',
);

export const blocks = {
  getOfChain: (db: Queryable, chainId: number) => db.query<BlockRow>(ofChain, [chainId]),
  async insert(
    tx: Queryable,
    chainId: number,
    rows: readonly {
      number: number;
      hash: string;
      time: number;
      logs?: number | null;
      question?: string | null;
    }[],
  ) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      chainId,
      intColumn(rows.map((row) => row.number)),
      bytesColumn(rows.map((row) => row.hash as Hex)),
      intColumn(rows.map((row) => row.time)),
      intColumn(rows.map((row) => row.logs ?? null)),
      bytesColumn(rows.map((row) => row.question ?? null)),
    ]);
  },
  removeBelow: (tx: Queryable, chainId: number, number: number) =>
    tx.query(removeBelow, [chainId, number]),
  removeAbove: (tx: Queryable, chainId: number, number: number) =>
    tx.query(removeAbove, [chainId, number]),
};
