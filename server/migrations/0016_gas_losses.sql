-- Gas that settlements took in vain: what payers wait for, and what the hour's limit counts, in every process and after a
-- restart. Kept for a day. Times are Unix seconds.
create table gas_loss (
  chain_id         bigint not null,
  transaction_hash bytea not null,
  payer            bytea not null,
  gas              numeric(78,0) not null,
  wei              numeric(78,0) not null,
  -- whether the payer waits for it
  blamed           boolean not null,
  at               bigint not null,
  primary key (chain_id, transaction_hash)
);
create index gas_loss_at on gas_loss (chain_id, at);
