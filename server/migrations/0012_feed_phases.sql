-- Which aggregator answers for a feed from the end of a block on. Proxies change theirs without any event, so the
-- blocks are searched for, once.
create table feed_phase (
  feed         text not null,
  chain_id     bigint not null,
  block_number bigint not null,
  -- the proxy's own number; null for a contract that does not count
  phase        integer,
  -- null: none that could be named
  aggregator   bytea,
  decimals     smallint not null,
  -- false: it changed at some earlier block, whose state no node could tell
  located      boolean not null,
  primary key (feed, chain_id, block_number)
);

-- A price holds from `at`, its block's time, on. Its age counts from when it was answered, which may be long before:
-- an aggregator's last answer comes into force with the aggregator.
alter table price add column updated_at bigint;
update price set updated_at = at;
alter table price alter column updated_at set not null;
-- Null: from `at` on there is no price.
alter table price alter column value drop not null;

-- Aggregators are read anew: answers of earlier phases, and those that ended a price, were never kept.
delete from price where chain_id <> 0;
update source set start_time = null, indexed_block = start_block - 1, indexed_time = 0 where feed is not null;
