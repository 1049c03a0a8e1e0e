import type { EventPosition } from '../../domain/events/event.ts';
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
  readonly firstTag: number;
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
  /** Null: of no family. */
  readonly slug: string | null;
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
  /** Only rows after this position; undefined: from the oldest stored batch on. */
  readonly after: Pick<EventPosition, 'batch' | 'blockNumber' | 'logIndex' | 'rank'> | undefined;
  readonly types: readonly number[];
  /** Slug of a family. */
  readonly family: string | null;
  readonly wallet: Address | null;
  readonly chainId: number | null;
  readonly finalOnly: boolean;
  readonly limit: number;
}

/** Rows of the feed, and its state at the same moment. */
export interface EventWindow extends EventExtent {
  /** The batch that was asked for, and its tag; null if it is not stored. */
  readonly batch: number;
  readonly tag: number | null;
  /** The last batch that was read, and its tag; null: there was none to read. */
  readonly last: number;
  readonly lastTag: number | null;
  readonly rows: readonly EventRow[];
}

/** Batches that one statement reads. */
const WINDOW = 200;
/** Order among the rows of one log. */
const RANK = 'e.family_id::bigint * 64 + e.type';

const tagOf = (batch: string) => `(select b.tag from event_batch b where b.seq = ${batch})`;
const extent = statement(
  'events.extent',
  `select h.seq as head, coalesce(${tagOf('h.seq')}, 0) as "headTag", h.first_seq as first,
     coalesce(${tagOf('h.first_seq')}, 0) as "firstTag" from event_head h`,
);
// One statement, because the next one may be answered by another host, or after a prune: then rows would be missing.
const START = '(select start from asked)';
const rows = statement(
  'events.rows',
  `with asked as materialized (
     select h.seq as head, h.first_seq as first, p.batch, greatest(1, p.batch) as start,
       least(h.seq, greatest(1, p.batch) + ${WINDOW - 1}) as last
     from event_head h, lateral (select coalesce($1::bigint, case when h.first_seq = 1 then 0 else h.first_seq end) as batch) p
     limit 1)
   select a.head, coalesce(${tagOf('a.head')}, 0) as "headTag", a.first, coalesce(${tagOf('a.first')}, 0) as "firstTag",
     a.batch as asked, ${tagOf('a.batch')} as "askedTag", a.last, ${tagOf('a.last')} as "lastTag", r.*, f.slug
   from asked a left join (
     select b.seq as batch, b.tag, b.state, b.chain_id as "chainId", e.type, e.family_id as "familyId",
       e.block_number as "blockNumber", e.log_index as "logIndex", e.block_time as "blockTime", e.wallet, e.kind, e.assets,
       e.shares, e.tx_hash as "txHash", e.vault, e.detail, b.state = 3 or e.was_final as "isFinal", ${RANK} as rank
     from (select * from event_batch where seq between ${START} and ${START} + ${WINDOW - 1} and ($2::bigint is null or chain_id = $2)
         and (not $3::boolean or state <> 1) order by seq) b
     cross join lateral (
       select * from (${rowsOfBatch(`case when b.seq = ${START} then $4::bigint else 0 end`)}) e
       where (b.seq > $1 or $1 is null or (e.block_number, e.log_index, ${RANK}) > ($4, $5::int, $6::bigint))
         and e.type = any($7::smallint[])
         and ($8::text is null or e.family_id = (select named.family_id from family named where named.slug = $8))
         and ($9::bytea is null or e.wallet = $9) and (not $3 or b.state = 3 or e.was_final)
       order by e.block_number, e.log_index, ${RANK} limit $10) e
     order by b.seq, e.block_number, e.log_index, ${RANK} limit $10) r on true
   left join family f on f.family_id = r."familyId"
   order by r.batch, r."blockNumber", r."logIndex", r.rank`,
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
  /** Returns rows in order, at most `limit` of them and of a limited number of batches. */
  async getRows(db: Queryable, query: EventQuery): Promise<EventWindow> {
    const { batch = null, blockNumber = 0, logIndex = 0, rank = 0 } = query.after ?? {};
    const found = await db.query<FoundRow>(rows, [
      batch,
      query.chainId,
      query.finalOnly,
      blockNumber,
      logIndex,
      rank,
      intColumn(query.types),
      query.family,
      query.wallet === null ? null : bytes(query.wallet),
      query.limit,
    ]);
    const { head, headTag, first, firstTag, asked, askedTag, last, lastTag } = found[0]!;
    return {
      ...{ head, headTag, first, firstTag, last, lastTag },
      ...{ batch: asked, tag: askedTag },
      rows: found.filter((row): row is FoundRow & EventRow => row.batch !== null),
    };
  },
};

/** The state of the feed is in each row, and in one without an event if there are none. */
interface FoundRow extends EventExtent, Omit<EventRow, 'batch'> {
  readonly batch: number | null;
  readonly asked: number;
  readonly askedTag: number | null;
  readonly last: number;
  readonly lastTag: number | null;
}
