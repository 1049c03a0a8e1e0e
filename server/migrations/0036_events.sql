-- The feed: what was committed, in the order in which it became visible. A batch stands for the rows of some families in
-- a range of blocks of one chain: rows are read where they are, so a backfill adds one short row per step.
create table event_batch (
  -- without gaps: it is counted in event_head, under a lock that is held until the commit
  seq          bigint primary key,
  -- random: after a failover that lost commits, a number can come again with other rows
  tag          integer not null,
  chain_id     bigint not null,
  -- applied 1 | retracted 2 | final 3
  state        smallint not null,
  families     smallint[] not null,
  from_block   bigint not null,
  to_block     bigint not null,
  from_time    bigint not null,
  to_time      bigint not null,
  committed_at bigint not null
);
create index event_batch_by_block on event_batch (chain_id, to_block);

-- Rows that a reorg or a changed source removed, for the batches that announced them and the one that takes them back.
create table event_retracted (
  retracted_seq bigint not null,
  -- null: announced before the feed began, or longer ago than it is kept
  applied_seq   bigint,
  final_seq     bigint,
  chain_id      bigint not null,
  family_id     smallint not null,
  block_number  bigint not null,
  log_index     integer not null,
  -- history 0 | share-price 1 | pool 2
  type          smallint not null,
  block_time    bigint not null,
  wallet        bytea,
  kind          smallint,
  assets        numeric(78,0),
  shares        numeric(78,0),
  tx_hash       bytea,
  vault         bytea,
  detail        text
);
create index event_retracted_by_retracted on event_retracted (retracted_seq);
create index event_retracted_by_applied on event_retracted (applied_seq) where applied_seq is not null;
create index event_retracted_by_final on event_retracted (final_seq) where final_seq is not null;

-- One row. Batches from first_seq on are kept.
create table event_head (
  seq       bigint not null,
  first_seq bigint not null
);
insert into event_head (seq, first_seq) values (0, 1);

-- Up to this block of a chain every row of the feed was announced as final.
create table event_chain (
  chain_id    bigint primary key,
  final_block bigint not null
);
-- In a store that has rows already the feed begins here.
insert into event_chain (chain_id, final_block)
  select chain_id, max(indexed_block) from source group by chain_id;
