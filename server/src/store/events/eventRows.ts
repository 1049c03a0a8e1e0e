import { EVENT_TYPE } from '../../domain/events/eventTypes.ts';

/**
 * The rows of batch `b` as events: stored rows, rows that were removed since, and notes. Types are indexes in
 * `STORED_EVENT_TYPES`. `from` is the lowest block to return.
 */
export function rowsOfBatch(from: string): string {
  return `
    ${storedRows({
      chain: 'b.chain_id',
      families: 'b.families',
      blocks: `between greatest(b.from_block, ${from}) and b.to_block`,
      times: 'between b.from_time and b.to_time',
      governance: 'g.announced_seq is null',
    })}
    union all
    select ${governanceColumns('g')} from governance g where g.announced_seq = b.seq and g.block_number >= ${from}
    union all
    select r.type, r.family_id, r.block_number, r.log_index, r.block_time, r.wallet, r.kind, r.assets, r.shares,
      r.tx_hash, r.vault, r.detail, r.final_seq is not null
    from event_retracted r where (r.applied_seq = b.seq or r.final_seq = b.seq or r.retracted_seq = b.seq)
      and r.block_number >= ${from}
    union all
    select n.type, n.family_id, n.block_number, n.place, n.block_time, null, null::smallint, null::numeric,
      null::numeric, null::bytea, null::bytea, n.detail, false
    from event_note n where n.seq = b.seq and n.block_number >= ${from}
    union all
    select ${alertColumns('a')} from alert_transition a
    where (a.applied_seq = b.seq or a.final_seq = b.seq or a.retracted_seq = b.seq) and a.block_number >= ${from}
    union all
    select ${EVENT_TYPE.payment}::smallint, 0::smallint, c.block_number, c.place, c.at, c.payer, null::smallint, null::numeric,
      null::numeric, null::bytea, null::bytea, c.detail, c.was_final
    from payment_event c where c.seq = b.seq and c.block_number >= ${from}`;
}

/** The stored rows of families in a range of blocks of a chain, as events. No row belongs to a block before `time`. */
export function rowsBetween(
  chain: string,
  families: string,
  from: string,
  to: string,
  time: string,
): string {
  const blocks = `between ${from} and ${to}`;
  return storedRows({ chain, families, blocks, times: `>= ${time}`, governance: 'true' });
}

/** Stored events for the end and return of a feed's prices on a chain. */
export function outagesOfFeed(feed: string, chain: string): string {
  return `select ${outageColumns('o')} from price_outage o where o.feed = ${feed} and o.chain_id = ${chain}`;
}

/** Ticks are on chain 0, with their time as the block. */
function storedRows(range: {
  readonly chain: string;
  readonly families: string;
  readonly blocks: string;
  readonly times: string;
  /** Condition on rows `g` of governance. */
  readonly governance: string;
}): string {
  const { chain, families, blocks, times, governance } = range;
  const inBlocks = (row: string) => `${row}.chain_id = ${chain} and ${row}.block_number ${blocks}`;
  return `
    select ${historyColumns('h')} from history h ${withVault('h')}
    where h.block_time ${times} and ${inBlocks('h')} and h.family_id = any(${families})
    union all
    select ${sharePriceColumns('s')} from unnest(${families}) as f(id), share_price s
    where s.family_id = f.id and ${inBlocks('s')}
    union all
    select ${poolColumns('p')} from unnest(${families}) as f(id), pool p
    where p.family_id = f.id and ${inBlocks('p')} and not p.found
    union all
    select ${tickColumns('t')} from unnest(${families}) as f(id), tick t
    where ${chain} = 0 and t.family_id = f.id and t.at ${blocks} and not t.imported
    union all
    select ${outageColumns('o')} from unnest(${families}) as f(id), price_outage o
    where o.family_id = f.id and ${inBlocks('o')}
    union all
    select ${governanceColumns('g')} from unnest(${families}) as f(id), governance g
    where g.family_id = f.id and ${inBlocks('g')} and ${governance}`;
}

function historyColumns(h: string): string {
  return `0::smallint as type, ${h}.family_id, ${h}.block_number, ${h}.log_index, ${h}.block_time, ${h}.wallet,
      ${h}.type as kind, ${h}.assets, ${h}.shares, ${h}.tx_hash, hv.vault, null::text as detail, false as was_final`;
}

function withVault(h: string): string {
  return `left join history_vault hv on hv.chain_id = ${h}.chain_id and hv.block_number = ${h}.block_number
      and hv.log_index = ${h}.log_index`;
}

function sharePriceColumns(s: string): string {
  return `1::smallint, ${s}.family_id, ${s}.block_number, ${s}.log_index, ${s}.block_time, null, null::smallint, ${s}.price,
      null::numeric, null::bytea, null::bytea, null::text, false`;
}

function poolColumns(p: string): string {
  return `2::smallint, ${p}.family_id, ${p}.block_number, ${p}.log_index, ${p}.block_time, ${withDetail(`
      json_build_object('poolId', '0x' || encode(${p}.pool_id, 'hex'),
      'offchainId', ${p}.offchain_id, 'venue', '0x' || encode(${p}.venue, 'hex'), 'venueKind', ${p}.venue_kind,
      'idleOnly', ${p}.idle_only, 'status', ${p}.status, 'riskScore', ${p}.risk_score, 'epoch', ${p}.epoch)`)}`;
}

function tickColumns(t: string): string {
  return `3::smallint, ${t}.family_id, ${t}.at, 0, ${t}.at, ${withDetail(`json_build_object('tvl', ${t}.tvl::text,
      'assetsPerShare', ${t}.assets_per_share::text, 'totalShares', ${t}.total_shares::text, 'usd', ${t}.usd,
      'apy7d', ${t}.apy_7d)`)}`;
}

function outageColumns(o: string): string {
  return `4::smallint as type, ${o}.family_id, ${o}.block_number, ${o}.log_index, ${o}.block_time, ${withDetail(
    `json_build_object('feed', ${o}.feed, 'ended', ${o}.ended)`,
  )}`;
}

/** The columns from the wallet on, of a row that has only a detail. */
function withDetail(detail: string): string {
  return `null::bytea as wallet, null::smallint as kind, null::numeric as assets, null::numeric as shares,
      null::bytea as tx_hash, null::bytea as vault, ${detail}::text as detail, false as was_final`;
}

function governanceColumns(g: string): string {
  return `${EVENT_TYPE.governance}::smallint, ${g}.family_id, ${g}.block_number, ${g}.log_index, ${g}.block_time, null, null::smallint, null::numeric,
      null::numeric, ${g}.tx_hash, ${g}.contract, json_build_object('kind', ${g}.kind, 'event', ${g}.event, 'subject', ${g}.subject,
      'oldValue', ${g}.old_value, 'newValue', ${g}.new_value, 'effectiveAt', ${g}.effective_at)::text, false`;
}

/** A transition has no log index: its number tells it apart from others at the same block. */
function alertColumns(a: string): string {
  return `${EVENT_TYPE.alert}::smallint, ${a}.family_id, ${a}.block_number, ${a}.id::int, ${a}.at, null, ${a}.status, ${a}.value,
      ${a}.bound, null::bytea, null::bytea, json_build_object('name', ${a}.name, 'kind', ${a}.kind)::text, ${a}.final_seq is not null`;
}
