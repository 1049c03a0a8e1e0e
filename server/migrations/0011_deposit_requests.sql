-- Deposit requests of ERC-7540 vaults. What became of them only the vault says: its answers are read live, and these
-- rows tell under which numbers to ask.
create table deposit_request (
  family_id    smallint not null,
  chain_id     bigint not null,
  block_time   bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  -- whose request it is: the controller
  wallet       bytea not null,
  -- null for a vault that does not number its requests
  request_id   numeric(78,0),
  assets       numeric(78,0) not null,
  primary key (family_id, chain_id, block_number, log_index)
);
create index deposit_request_by_wallet on deposit_request (wallet, family_id, chain_id, request_id);
create index deposit_request_by_block on deposit_request (chain_id, block_number);
