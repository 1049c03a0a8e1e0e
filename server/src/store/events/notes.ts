import { EVENT_TYPE } from '../../domain/events/eventTypes.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { BATCH_COLUMNS, EVENT_STATE, NOTIFY, NOW, newTag } from './events.ts';

/** A family less far behind its chain is about to catch up, as is a chain less far behind its head. */
const TOLERATED_SECONDS = 300;

const batch = `added as (insert into event_batch (${BATCH_COLUMNS})
     select seq, $2, $1, ${EVENT_STATE.final}, '{}', 1, 0, 0, 0, ${NOW} from head)`;
const BEHIND = 's.indexed_block < coalesce(c.indexed_block, s.indexed_block)';
// An unreachable chain has one event, not another for each of its families.
const states = statement(
  'eventNotes.states',
  `with present as (
     select c.chain_id, 0::smallint as family_id, c.indexed_block, 0 as gaps,
       case when c.updated_at < $4::bigint and c.state <> 'unreachable' then 'stale'
         when c.state = 'syncing' and n.state = 'live' and c.head_time - c.indexed_time < ${TOLERATED_SECONDS} then 'live'
         else c.state end as state
     from chain c left join noted_state n on n.chain_id = c.chain_id and n.family_id = 0 where c.chain_id = $1
     union all
     select s.chain_id, s.family_id, s.indexed_block,
       (select count(*)::int from gap g where g.family_id = s.family_id and g.chain_id = s.chain_id),
       case when s.error is not null then 'halted'
         when not s.readable then 'syncing'
         when ${BEHIND} and (n.state = 'syncing' or c.indexed_time - s.indexed_time > ${TOLERATED_SECONDS}) then 'syncing'
         else 'current' end
     from source s join chain c on c.chain_id = s.chain_id
     left join noted_state n on n.chain_id = s.chain_id and n.family_id = s.family_id
     where s.chain_id = $1 and s.family_id is not null and c.state <> 'unreachable'),
   changed as (
     select p.*, row_number() over (order by p.family_id)::int as place
     from present p left join noted_state n on n.chain_id = p.chain_id and n.family_id = p.family_id
     where n.state is distinct from p.state or n.gaps is distinct from p.gaps),
   head as (update event_head set seq = seq + 1 where exists (select from changed) returning seq),
   ${batch},
   kept as (insert into noted_state (chain_id, family_id, state, gaps) select chain_id, family_id, state, gaps from changed
     on conflict (chain_id, family_id) do update set state = excluded.state, gaps = excluded.gaps),
   noted as (insert into event_note (seq, place, type, family_id, block_number, block_time, detail)
     select head.seq, c.place, ${EVENT_TYPE.state}, c.family_id, coalesce(c.indexed_block, 0), $3,
       json_build_object('state', c.state, 'gaps', c.gaps)::text
     from head, changed c)
   ${NOTIFY} where exists (select from changed)`,
);
const forgetState = statement(
  'eventNotes.forgetState',
  'delete from noted_state where chain_id = $1 and family_id = $2',
);
const grades = statement(
  'eventNotes.grades',
  `with head as (update event_head set seq = seq + 1 returning seq),
   ${batch},
   noted as (insert into event_note (seq, place, type, family_id, block_number, block_time, detail)
     select head.seq, node.place, ${EVENT_TYPE.grade}, 0, 0, $3, json_build_object('nodeId', node.id)::text
     from head, unnest($4::text[]) with ordinality as node(id, place))
   ${NOTIFY}`,
);
const OF_NO_CHAIN = 0;

/**
 * Announces states that no other row records. Call it late in a transaction, because other chains wait for the commit.
 */
export const eventNotes = {
  /**
   * Announces the states of a chain and its families that changed since the last announcement. A chain that was not
   * updated since `staleBefore` is stale; a caller that has just updated it passes 0.
   */
  states: (tx: Queryable, chainId: number, now: number, staleBefore = 0) =>
    tx.query(states, [chainId, newTag(), now, staleBefore]),
  /** The family restarts on the chain: its next state is announced in any case. */
  forgetState: (tx: Queryable, chainId: number, familyId: number) =>
    tx.query(forgetState, [chainId, familyId]),
  /** Announces risk nodes whose grade changed. */
  async grades(tx: Queryable, nodeIds: readonly string[], now: number): Promise<void> {
    if (nodeIds.length === 0) return;
    await tx.query(grades, [OF_NO_CHAIN, newTag(), now, textColumn(nodeIds)]);
  },
};
