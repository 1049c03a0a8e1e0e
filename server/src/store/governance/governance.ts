import type { GovernanceChange } from '../../domain/governance/change.ts';
import type { LogPlace } from '../../domain/order.ts';
import { bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A change as stored. */
export interface GovernanceRow extends Omit<GovernanceChange, 'place'>, LogPlace {}

export interface GovernanceQuery {
  readonly familyId: number;
  readonly chainIds: readonly number[];
  /** Only rows below this position; undefined: from the newest. */
  readonly below: LogPlace | undefined;
  readonly limit: number;
}

const PLACE = 'block_time, chain_id, block_number, log_index';
/** Above every row: block times are seconds. */
const ABOVE_ALL: LogPlace = { blockTime: 2 ** 53, chainId: 0, blockNumber: 0, logIndex: 0 };
/** Marks rows that `events.addLate` has yet to announce. */
const UNANNOUNCED = 0;

const insert = statement(
  'governance.insert',
  `insert into governance (family_id, chain_id, block_time, block_number, log_index, tx_hash, contract, kind, event, subject,
     old_value, new_value, effective_at, announced_seq)
   select $1, $2, row.*, $14 from unnest($3::bigint[], $4::bigint[], $5::int[], $6::bytea[], $7::bytea[], $8::text[], $9::text[],
     $10::text[], $11::text[], $12::text[], $13::bigint[]) as row
   on conflict do nothing returning log_index`,
);
const page = statement(
  'governance.page',
  `select block_time as "blockTime", chain_id as "chainId", block_number as "blockNumber", log_index as "logIndex",
     tx_hash as "txHash", contract, kind, event, subject, old_value as "oldValue", new_value as "newValue",
     effective_at as "effectiveAt"
   from governance where family_id = $1 and chain_id = any($2::bigint[]) and (${PLACE}) < ($3, $4, $5, $6)
   order by ${PLACE.replaceAll(/,|$/g, ' desc$&')} limit $7`,
);
const removeAbove = statement(
  'governance.removeAbove',
  'delete from governance where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'governance.removeOfSource',
  'delete from governance where family_id = $1 and chain_id = $2',
);

/** Changes of owners, roles, and limits, as contracts reported them. */
export const governance = {
  /** Returns the number of new rows. `late`: the other rows of these blocks were announced before. */
  async insert(
    tx: Queryable,
    familyId: number,
    chainId: number,
    rows: readonly GovernanceChange[],
    { late = false }: { readonly late?: boolean } = {},
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const own = <T>(pick: (row: GovernanceChange) => T) => rows.map(pick);
    const added = await tx.query(insert, [
      familyId,
      chainId,
      intColumn(own(({ place }) => place.blockTime)),
      intColumn(own(({ place }) => place.blockNumber)),
      intColumn(own(({ place }) => place.logIndex)),
      bytesColumn(own(({ txHash }) => txHash)),
      bytesColumn(own(({ contract }) => contract)),
      textColumn(own(({ kind }) => kind)),
      textColumn(own(({ event }) => event)),
      textColumn(own(({ subject }) => subject)),
      textColumn(own(({ oldValue }) => oldValue)),
      textColumn(own(({ newValue }) => newValue)),
      intColumn(own(({ effectiveAt }) => effectiveAt)),
      late ? UNANNOUNCED : null,
    ]);
    return added.length;
  },
  /** The newest rows of a family, in the order of history. */
  getPage(db: Queryable, { familyId, chainIds, below = ABOVE_ALL, limit }: GovernanceQuery) {
    const { blockTime, chainId, blockNumber, logIndex } = below;
    const place = [blockTime, chainId, blockNumber, logIndex];
    return db.query<GovernanceRow>(page, [familyId, intColumn(chainIds), ...place, limit]);
  },
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
