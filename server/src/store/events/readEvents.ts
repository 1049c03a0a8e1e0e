import type { Address, Hex } from '../../domain/hex.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { rowsBetween, rowsOfBatch } from './eventRows.ts';

/** The stored extent of the feed. */
export interface EventExtent {
  readonly head: number;
  readonly headTag: number;
  readonly first: number;
}

export interface EventRow {
  readonly batch: number;
  readonly tag: number;
  /** As in `EVENT_STATE`. */
  readonly state: number;
  readonly chainId: number;
  /** Index in `STORED_EVENT_TYPES`. */
  readonly type: number;
  readonly familyId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly blockTime: number;
  readonly wallet: Address | null;
  /** As in `HISTORY_TYPE`. */
  readonly kind: number | null;
  readonly assets: bigint | null;
  readonly shares: bigint | null;
  readonly txHash: Hex | null;
  /** If the row does not belong to the family's own vault. */
  readonly vault: Address | null;
  readonly detail: string | null;
  /** Whether the row is final, or was before it was retracted. */
  readonly isFinal: boolean;
}

export interface EventQuery {
  /** Batches from the first on, up to the last. */
  readonly first: number;
  readonly last: number;
  /** In the first batch, only rows after this position. */
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly rank: number;
  readonly types: readonly number[];
  readonly familyId: number | null;
  readonly wallet: Address | null;
  readonly chainId: number | null;
  readonly finalOnly: boolean;
  readonly limit: number;
}

/** Order among the rows of one log. */
const RANK = 'e.family_id::bigint * 64 + e.type';

const extent = statement(
  'events.extent',
  `select h.seq as head, coalesce((select b.tag from event_batch b where b.seq = h.seq), 0) as "headTag",
     h.first_seq as first from event_head h`,
);
const tagOf = statement('events.tagOf', 'select tag from event_batch where seq = $1');
const rows = statement(
  'events.rows',
  `select b.seq as batch, b.tag, b.state, b.chain_id as "chainId", e.type, e.family_id as "familyId",
     e.block_number as "blockNumber", e.log_index as "logIndex", e.block_time as "blockTime", e.wallet, e.kind, e.assets,
     e.shares, e.tx_hash as "txHash", e.vault, e.detail, b.state = 3 or e.was_final as "isFinal"
   from (select * from event_batch where seq between $1 and $2 and ($3::bigint is null or chain_id = $3)
       and (not $4::boolean or state <> 1) order by seq) b
   cross join lateral (
     select * from (${rowsOfBatch('case when b.seq = $1 then $5::bigint else 0 end')}) e
     where (b.seq > $1 or (e.block_number, e.log_index, ${RANK}) > ($5, $6::int, $7::bigint))
       and e.type = any($8::smallint[]) and ($9::smallint is null or e.family_id = $9)
       and ($10::bytea is null or e.wallet = $10) and (not $4 or b.state = 3 or e.was_final)
     order by e.block_number, e.log_index, ${RANK} limit $11) e
   order by b.seq, e.block_number, e.log_index, ${RANK} limit $11`,
);

const stored = statement(
  'events.stored',
  `select e.type, e.block_number as "blockNumber", e.log_index as "logIndex", e.wallet, e.kind, e.assets, e.shares, e.detail
   from (${rowsBetween('$1', '$2::smallint[]', '$3', '$4', '$5')}) e`,
);

export type StoredEvent = Pick<
  EventRow,
  'type' | 'blockNumber' | 'logIndex' | 'wallet' | 'kind' | 'assets' | 'shares' | 'detail'
>;

export function rankOf({ familyId, type }: Pick<EventRow, 'familyId' | 'type'>): number {
  return familyId * 64 + type;
}

export const eventPages = {
  /** Returns the rows of a family in some blocks. No row belongs to a block before `fromTime`. */
  getStored: (
    db: Queryable,
    familyId: number,
    chainId: number,
    blocks: { readonly fromBlock: number; readonly toBlock: number; readonly fromTime: number },
  ) =>
    db.query<StoredEvent>(stored, [
      chainId,
      intColumn([familyId]),
      blocks.fromBlock,
      blocks.toBlock,
      blocks.fromTime,
    ]),
  async getExtent(db: Queryable): Promise<EventExtent> {
    const [found] = await db.query<EventExtent>(extent);
    return found!;
  },
  /** Returns undefined when the batch is not stored. */
  async findTag(db: Queryable, batch: number): Promise<number | undefined> {
    const found = await db.query<{ tag: number }>(tagOf, [batch]);
    return found[0]?.tag;
  },
  getRows: (db: Queryable, query: EventQuery) =>
    db.query<EventRow>(rows, [
      query.first,
      query.last,
      query.chainId,
      query.finalOnly,
      query.blockNumber,
      query.logIndex,
      query.rank,
      intColumn(query.types),
      query.familyId,
      query.wallet === null ? null : bytes(query.wallet),
      query.limit,
    ]),
};
