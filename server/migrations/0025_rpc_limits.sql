-- What an RPC URL has taught by its refusals, so that a restart does not learn it again.
create table rpc_limit (
  chain_id         bigint not null,
  -- SHA-256 of the URL, which may contain a key.
  url              bytea not null,
  -- The widest log range and the most addresses in a filter; calls a second. Null: nothing learned.
  log_blocks       bigint,
  addresses        bigint,
  calls_per_second double precision,
  learned_at       bigint not null,
  primary key (chain_id, url)
);
