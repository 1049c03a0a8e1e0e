-- Stretches of a chain that could not be read for a family in full, because no URL had the data. Filled, a row goes away.
create table gap (
  family_id  smallint not null references family,
  chain_id   bigint not null,
  -- state: contract state is missing, so ticks are missing and events are valued at the last known share price.
  -- logs: the events themselves are missing, and the source waits at the block before from_block.
  reason     text not null check (reason in ('state', 'logs')),
  from_block bigint not null,
  to_block   bigint not null,
  -- Times of the blocks before from_block and at to_block: instants in (from_time, to_time] may lack a tick.
  from_time  bigint not null,
  to_time    bigint not null,
  found_at   bigint not null,
  -- Found during the first backfill of the source.
  initial    boolean not null,
  primary key (family_id, chain_id, reason, from_block)
);
