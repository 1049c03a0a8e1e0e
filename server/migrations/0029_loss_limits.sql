-- Which kind of payer made us lose gas: each has an hourly limit of its own. Rows from before, and those that a process of the
-- version before still writes, count as by payers with code: that is the limit that shuts somebody out, so it errs on the side
-- of losing less, and for an hour at most.
alter table gas_loss add column has_code boolean not null default true;

-- When the operator had a server sell again that had stopped because too many payments were lost: losses before do not count.
-- Unix seconds.
create table selling_resumed (
  chain_id bigint not null,
  asset    bytea not null,
  at       bigint not null,
  primary key (chain_id, asset)
);
