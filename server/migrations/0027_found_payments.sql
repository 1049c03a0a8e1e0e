-- A database that fails over can lose rows of payments that the chain has taken. They are found on chain again: by a
-- request that comes with one, or by a sweep over the transfers to payTo. Such a payment has state 7 (found). What it
-- bought is not known, so the columns that describe this are null. It is refunded, never served.
alter table payment
  alter column valid_after drop not null,
  alter column valid_before drop not null,
  alter column signature drop not null,
  alter column route drop not null,
  alter column request drop not null,
  -- the newest block when it was claimed: a use up to this block is older than the claim. Null in rows of before
  add column claimed_block bigint;

-- One row per payment that was ever found: a short list beside the long table of payments.
create table found_payment (
  chain_id  bigint not null,
  asset     bytea not null,
  payer     bytea not null,
  nonce     bytea not null,
  found_at  bigint not null,
  -- the operator says that no refund is owed, and why
  dismissed_at bigint,
  dismissed_because text,
  primary key (chain_id, asset, payer, nonce)
);

-- How far the transfers to a payTo are compared with the ledger. It is written with what was found, and after the rows
-- of all payments up to there: a database that lost rows has lost this position too, and the sweep looks again.
create table payment_sweep (
  chain_id bigint not null,
  asset    bytea not null,
  pay_to   bytea not null,
  swept_to bigint not null,
  primary key (chain_id, asset, pay_to)
);
