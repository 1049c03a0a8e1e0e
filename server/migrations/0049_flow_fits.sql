-- Whether described events fitted the shares that moved with them: a description is judged by more than one step.
create table flow_fit (
  family_id    smallint not null,
  chain_id     bigint not null,
  contract     bytea not null,
  event        text not null,
  block_number bigint not null,
  tx_hash      bytea not null,
  fits         boolean not null,
  primary key (family_id, chain_id, contract, event, tx_hash, fits)
);
