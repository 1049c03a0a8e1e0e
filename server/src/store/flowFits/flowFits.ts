import type { FlowFit } from '../../domain/vault/flowTrust.ts';
import { boolColumn, bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const insert = statement(
  'flowFits.insert',
  `insert into flow_fit (family_id, chain_id, contract, event, block_number, tx_hash, fits)
   select $1, $2, * from unnest($3::bytea[], $4::text[], $5::bigint[], $6::bytea[], $7::boolean[])
   on conflict do nothing`,
);
const ofFamilies = statement(
  'flowFits.ofFamilies',
  `select family_id as "familyId", contract, event, block_number as "blockNumber", tx_hash as "txHash", fits from flow_fit
   where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3`,
);
const removeAbove = statement(
  'flowFits.removeAbove',
  'delete from flow_fit where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'flowFits.removeOfSource',
  'delete from flow_fit where family_id = $1 and chain_id = $2',
);

/** What proves or contradicts the description of a family's events. Each event has few rows. */
export const flowFits = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly FlowFit[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      bytesColumn(rows.map(({ contract }) => contract)),
      textColumn(rows.map(({ event }) => event)),
      intColumn(rows.map(({ blockNumber }) => blockNumber)),
      bytesColumn(rows.map(({ txHash }) => txHash)),
      boolColumn(rows.map(({ fits }) => fits)),
    ]);
  },
  /** Up to a block. */
  getOfFamilies: (db: Queryable, familyIds: readonly number[], chainId: number, upTo: number) =>
    db.query<FlowFit & { familyId: number }>(ofFamilies, [intColumn(familyIds), chainId, upTo]),
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
