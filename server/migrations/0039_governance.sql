-- Changes of who controls a family's contracts, and of what they permit. One log can be a change for several families.
create table governance (
  family_id     smallint not null references family,
  chain_id      bigint not null,
  block_time    bigint not null,
  block_number  bigint not null,
  log_index     integer not null,
  tx_hash       bytea not null,
  contract      bytea not null,
  kind          text not null,
  event         text not null,
  subject       text,
  old_value     text,
  new_value     text,
  -- when a scheduled change can take effect, if the event has it
  effective_at  bigint,
  -- batch of the feed that announced a row which was read later than the other rows of its block
  announced_seq bigint,
  primary key (family_id, block_time, chain_id, block_number, log_index)
);
create index governance_by_block on governance (chain_id, family_id, block_number);
create index governance_by_announced on governance (announced_seq) where announced_seq is not null;

-- governance_block: up to here a step read governance logs too; it stays behind while an older version reads.
-- governance_rules: how they were read; null: never. governance_from to governance_to: blocks still to be read.
alter table source
  add column governance_block bigint,
  add column governance_rules text,
  add column governance_from bigint,
  add column governance_to bigint;
