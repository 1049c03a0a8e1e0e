-- Mints without a Deposit event that were examined and not paid for. They limit how many more are examined.
create table free_mint (
  family_id    smallint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  block_time   bigint not null,
  tx_hash      bytea not null,
  wallet       bytea not null,
  primary key (family_id, chain_id, block_number, tx_hash, wallet)
);
