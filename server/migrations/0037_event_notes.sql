-- Changes that no other row shows: states of chains and families, and grades. A batch announces them as final.
create table event_note (
  -- of the batch
  seq          bigint not null,
  place        integer not null,
  -- as event_retracted.type
  type         smallint not null,
  -- 0: of no family
  family_id    smallint not null,
  block_number bigint not null,
  block_time   bigint not null,
  -- JSON
  detail       text not null,
  primary key (seq, place)
);

-- The last state of a chain (family 0), or of a family on it, that was announced.
create table noted_state (
  chain_id  bigint not null,
  family_id smallint not null,
  state     text not null,
  gaps      integer not null,
  primary key (chain_id, family_id)
);

-- The USD price of a family's feed ended, or came back.
create table price_outage (
  family_id    smallint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  block_time   bigint not null,
  feed         text not null,
  ended        boolean not null,
  primary key (family_id, chain_id, block_number, log_index)
);
