-- Blocks at which states were read, with the first instant at which each was the newest block of its chain. The hash is
-- null where only the number is known, as for all rows from before.
create table tick_block (
  chain_id bigint not null,
  number   bigint not null,
  at       bigint not null,
  hash     bytea,
  primary key (chain_id, number)
);
create index tick_block_by_hash on tick_block (chain_id, hash) where hash is not null;
insert into tick_block (chain_id, number, at)
  select chain_id, block_number, min(at) from chain_tick group by chain_id, block_number;
