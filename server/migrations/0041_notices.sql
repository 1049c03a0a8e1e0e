-- What reading a vault's logs showed that limits what its figures mean, or says what they count.
create table notice (
  family_id    smallint not null,
  chain_id     bigint not null,
  -- unseen-deposit 1 | booked-redemption 2 | fixed-request 3 | other-asset 4
  code         smallint not null,
  block_number bigint not null,
  block_time   bigint not null,
  tx_hash      bytea not null,
  -- Whom it concerns; zero bytes where it is the whole vault.
  wallet       bytea not null,
  primary key (family_id, chain_id, code, block_number, tx_hash, wallet)
);
create index notice_by_wallet on notice (wallet);
