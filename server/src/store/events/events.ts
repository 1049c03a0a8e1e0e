import { randomInt } from 'node:crypto';
import { EVENT_TYPE } from '../../domain/events/eventTypes.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { outagesOfFeed, rowsBetween } from './eventRows.ts';

/** Channel that is notified when a commit adds batches. */
export const EVENT_CHANNEL = 'assay_events';

export const EVENT_STATE = { applied: 1, retracted: 2, final: 3 } as const;

/** Rows of families in a range of blocks, as one transaction adds them. */
export interface AddedRows {
  readonly chainId: number;
  readonly families: readonly number[];
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly fromTime: number;
  readonly toTime: number;
}

// Each statement that adds batches locks the single row of event_head until the commit, so batches become visible in
// order.
export const BATCH_COLUMNS =
  'seq, tag, chain_id, state, families, from_block, to_block, from_time, to_time, committed_at';
export const NOW = 'extract(epoch from now())::bigint';
export const NOTIFY = `select pg_notify('${EVENT_CHANNEL}', '') from event_head`;
const END_OF_TAGS = 2 ** 31 - 1;

const finalBlock = statement(
  'events.finalBlock',
  'select final_block as "finalBlock" from event_chain where chain_id = $1',
);
const add = statement(
  'events.add',
  `with head as (update event_head set seq = seq + cardinality($6::smallint[]) returning seq),
   added as (insert into event_batch (${BATCH_COLUMNS})
     select head.seq - cardinality($6::smallint[]) + part.place, $2, $1, part.state, $3::smallint[], part.from_block,
       part.to_block, $4, $5, ${NOW}
     from head, unnest($6::smallint[], $7::bigint[], $8::bigint[]) with ordinality as part(state, from_block, to_block, place))
   ${NOTIFY}`,
);
const finalize = statement(
  'events.finalize',
  `with due as (
     select b.*, row_number() over (order by b.seq) as place, c.final_block from event_batch b, event_chain c
     where c.chain_id = $1 and b.chain_id = $1 and b.state = 1 and b.to_block > c.final_block and b.from_block <= $2),
   head as (update event_head set seq = seq + (select count(*) from due) where exists (select from due) returning seq),
   added as (insert into event_batch (${BATCH_COLUMNS})
     select head.seq - (select count(*) from due) + due.place, $3, $1, 3, due.families,
       greatest(due.from_block, due.final_block + 1), least(due.to_block, $2), due.from_time, due.to_time, ${NOW}
     from head, due),
   kept as (insert into event_chain (chain_id, final_block) values ($1, $2)
     on conflict (chain_id) do update set final_block = greatest(event_chain.final_block, excluded.final_block))
   ${NOTIFY} where exists (select from due)`,
);
/** The batch that announced row `r`, if it was read later than the others of its block. */
const LATE = `(select g.announced_seq from governance g where g.chain_id = $1 and g.family_id = r.family_id
       and g.block_number = r.block_number and g.log_index = r.log_index and r.type = ${EVENT_TYPE.governance})`;
const RETRACT = retracting({ rows: rowsBetween('$1', '$2::smallint[]', '$3', '$4', '$5') });
const retractAbove = statement(
  'events.retractAbove',
  `with ${RETRACT},
   clipped as (update event_batch set to_block = $3 - 1 where chain_id = $1 and to_block >= $3),
   lowered as (update event_chain set final_block = least(final_block, $3 - 1) where chain_id = $1)
   ${NOTIFY}`,
);
const retractSource = statement(
  'events.retractSource',
  `with ${RETRACT},
   dropped as (update event_batch set families = array_remove(families, ($2::smallint[])[1])
     where chain_id = $1 and ($2::smallint[])[1] = any(families) and state <> ${EVENT_STATE.retracted})
   ${NOTIFY}`,
);
// Rows that were read later than the others of their blocks, in a batch of their own. They are final, because only
// final blocks are read again.
const addLate = statement(
  'events.addLate',
  `with head as (update event_head set seq = seq + 1 returning seq),
   marked as (update governance set announced_seq = head.seq from head where chain_id = $1 and announced_seq = 0),
   added as (insert into event_batch (${BATCH_COLUMNS}) select seq, $2, $1, ${EVENT_STATE.final}, '{}', 1, 0, 0, 0, ${NOW} from head)
   ${NOTIFY}`,
);
const retractRange = statement('events.retractRange', `with ${RETRACT} ${NOTIFY}`);
const retractTicks = statement(
  'events.retractTicks',
  `with ${retracting({
    rows: rowsBetween('$1', '$2::smallint[]', '$3', '$4', '$5'),
    // If ticks are not announced, there is nothing to retract.
    when: 'where exists (select from event_batch b where b.chain_id = $1 and b.to_block >= $3 and ($2::smallint[])[1] = any(b.families))',
  })} ${NOTIFY} where exists (select from head)`,
);

const touch = statement(
  'events.touch',
  `with head as (update event_head set seq = seq + 1 returning seq),
   added as (insert into event_batch (${BATCH_COLUMNS}) select seq, $4, $1, ${EVENT_STATE.retracted}, $2::smallint[], 1, 0, $3, 0, ${NOW} from head)
   ${NOTIFY}`,
);

const retractFeed = statement(
  'events.retractFeed',
  `with ${retracting({
    rows: outagesOfFeed('$2', '$1'),
    tag: '$3',
    families: `'{}'`,
    fromTime: '0',
    when: 'where exists (select from price_outage where feed = $2 and chain_id = $1)',
  })} ${NOTIFY} where exists (select from head)`,
);

function retracting(options: {
  readonly rows: string;
  readonly tag?: string;
  readonly when?: string;
  /**
   * Which families changed, and from which time on: for exports, which read the rows themselves. The batch has no
   * blocks.
   */
  readonly families?: string;
  readonly fromTime?: string;
}): string {
  const { rows, tag = '$6', when = '', families = '$2::smallint[]', fromTime = '$5' } = options;

  return `head as (update event_head set seq = seq + 1 ${when} returning seq),
   gone as (insert into event_retracted (retracted_seq, applied_seq, final_seq, chain_id, type, family_id, block_number,
       log_index, block_time, wallet, kind, assets, shares, tx_hash, vault, detail)
     select head.seq, ${announcedAs('applied')}, coalesce(${LATE}, ${announcedAs('final')}), $1, r.type, r.family_id, r.block_number,
       r.log_index, r.block_time, r.wallet, r.kind, r.assets, r.shares, r.tx_hash, r.vault, r.detail
     from head, (${rows}) r),
   added as (insert into event_batch (${BATCH_COLUMNS}) select seq, ${tag}, $1, 2, ${families}, 1, 0, ${fromTime}, 0, ${NOW} from head)`;
}

/** The newest batch that announced row `r` in a state. */
function announcedAs(state: keyof typeof EVENT_STATE): string {
  return `(select max(b.seq) from event_batch b where b.chain_id = $1 and b.state = ${EVENT_STATE[state]}
       and r.block_number between b.from_block and b.to_block and r.family_id = any(b.families))`;
}

/** Maximum batches removed at once. */
export const PRUNED = 1_000;
const prune = statement(
  'events.prune',
  `with old as (
     select b.seq from event_batch b, event_head h
     where b.seq < h.seq and b.seq < h.first_seq + ${PRUNED} and b.committed_at < $1
       and b.seq < coalesce((select min(o.seq) from event_batch o join event_chain c on c.chain_id = o.chain_id
         where o.state = 1 and o.to_block > c.final_block and o.chain_id = any($2::bigint[])), h.seq)
       and b.seq < coalesce((select min(k.seq) from event_batch k where k.committed_at >= $1), h.seq)),
   head as (update event_head set first_seq = (select max(seq) + 1 from old) where exists (select from old) returning first_seq),
   batches as (delete from event_batch b using head where b.seq < head.first_seq),
   rows as (delete from event_retracted r using head where r.retracted_seq < head.first_seq),
   notes as (delete from event_note n using head where n.seq < head.first_seq),
   payments as (delete from payment_event p using head where p.seq < head.first_seq)
   select count(*) as "count" from old`,
);
/** Ticks cover several chains: their batches use this chain ID, with times instead of blocks. */
const TICK_CHAIN = 0;

interface Blocks {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** No row belongs to a block before this time. */
  readonly fromTime: number;
}

/** Writes the feed. Call it late in a transaction, because other chains wait for the commit. */
export const events = {
  /** Returns the block up to which a chain's rows were announced as final; undefined before the chain was first read. */
  async findFinal(tx: Queryable, chainId: number): Promise<number | undefined> {
    const rows = await tx.query<{ finalBlock: number }>(finalBlock, [chainId]);
    return rows[0]?.finalBlock;
  },
  /** Announces rows: as final up to block `final`, as applied above it. */
  async add(tx: Queryable, rows: AddedRows, final: number): Promise<void> {
    const parts = [
      { state: EVENT_STATE.final, from: rows.fromBlock, to: Math.min(rows.toBlock, final) },
      { state: EVENT_STATE.applied, from: Math.max(rows.fromBlock, final + 1), to: rows.toBlock },
    ].filter(({ from, to }) => from <= to);
    await tx.query(add, [
      rows.chainId,
      newTag(),
      intColumn(rows.families),
      rows.fromTime,
      rows.toTime,
      intColumn(parts.map(({ state }) => state)),
      intColumn(parts.map(({ from }) => from)),
      intColumn(parts.map(({ to }) => to)),
    ]);
  },
  /** Announces the governance changes that were inserted late. */
  addLate: (tx: Queryable, chainId: number) => tx.query(addLate, [chainId, newTag()]),
  /** Announces the ticks of a family in a range of times. They have no block, so they never become final. */
  addTicks: (tx: Queryable, familyId: number, from: number, until: number) =>
    tx.query(add, [
      TICK_CHAIN,
      newTag(),
      intColumn([familyId]),
      from,
      until,
      intColumn([EVENT_STATE.applied]),
      intColumn([from]),
      intColumn([until]),
    ]),
  /** Retracts the ticks of a family in a range of times. Call it while they are still stored. */
  retractTicks: (tx: Queryable, familyId: number, from: number, until = Number.MAX_SAFE_INTEGER) =>
    tx.query(retractTicks, [
      ...blocksOf(TICK_CHAIN, [familyId], { fromBlock: from, toBlock: until, fromTime: from }),
      newTag(),
    ]),
  /** Records that past rows of a family that are not events are written: a batch without events, for exports. */
  touch: (tx: Queryable, familyId: number, chainId: number, fromTime: number) =>
    tx.query(touch, [chainId, intColumn([familyId]), fromTime, newTag()]),
  /** Retracts the events for the end and return of a feed's prices. Call it while they are still stored. */
  retractFeed: (tx: Queryable, feed: string, chainId: number) =>
    tx.query(retractFeed, [chainId, feed, newTag()]),
  /**
   * Removes at most `PRUNED` batches that were committed before a time, with their stored data, and returns how many.
   * Keeps the newest batch, and every batch after one of these chains whose rows are not final yet.
   */
  async prune(tx: Queryable, before: number, chainIds: readonly number[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(prune, [before, intColumn(chainIds)]);
    return row!.count;
  },
  /** Announces the applied rows up to a block as final. */
  finalize: (tx: Queryable, chainId: number, block: number) =>
    tx.query(finalize, [chainId, block, newTag()]),
  /** Announces that a reorg removes every row above a block. Call it while the rows are still stored. */
  retractAbove: (
    tx: Queryable,
    chainId: number,
    families: readonly number[],
    block: { readonly number: number; readonly time: number },
  ) =>
    tx.query(retractAbove, [
      ...blocksOf(chainId, families, {
        fromBlock: block.number + 1,
        toBlock: Number.MAX_SAFE_INTEGER,
        fromTime: block.time,
      }),
      newTag(),
    ]),
  /** Announces that all rows of a family on a chain are removed. Call it while the rows are still stored. */
  retractSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(retractSource, [
      ...blocksOf(chainId, [familyId], {
        fromBlock: 0,
        toBlock: Number.MAX_SAFE_INTEGER,
        fromTime: 0,
      }),
      newTag(),
    ]),
  /**
   * Announces that the rows of a family in some blocks are replaced. Call it while they are still stored, and `add`
   * afterwards. Batches that announced them then return the new rows too. That is harmless, because the events that
   * follow are in the right order.
   */
  retractRange: (tx: Queryable, familyId: number, chainId: number, blocks: Blocks) =>
    tx.query(retractRange, [...blocksOf(chainId, [familyId], blocks), newTag()]),
};

function blocksOf(chainId: number, families: readonly number[], blocks: Blocks) {
  return [chainId, intColumn(families), blocks.fromBlock, blocks.toBlock, blocks.fromTime];
}

export function newTag(): number {
  return randomInt(END_OF_TAGS);
}
