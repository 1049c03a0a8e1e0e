-- Keys that every process on this store shares, made once.
create table secret (
  name  text primary key,
  value bytea not null
);

-- One stream per family, chain and type: a filter that matches few rows must not walk past all the others.
create index history_by_stream on history (family_id, chain_id, type, block_time, block_number, log_index);

-- Deposits worth at least 100 000 USD at their own time, in history order.
create index history_large_deposits on history (family_id, block_time, chain_id, block_number, log_index)
  where type = 1 and usd >= 100000;
