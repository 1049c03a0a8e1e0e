-- A share token may be worth an amount of a currency, which is no token.
alter table vault alter column asset drop not null;

-- Requests to redeem that later events name by their number alone, from block to block; no shares: it is over.
create table redeem_request (
  family_id    smallint not null,
  chain_id     bigint not null,
  contract     bytea not null,
  -- 0 where the contract does not number them
  request_id   numeric(78,0) not null,
  wallet       bytea not null,
  block_number bigint not null,
  shares       numeric(78,0) not null,
  -- what was promised, or what a settled one pays; null where nobody says
  assets       numeric(78,0),
  settled      boolean not null,
  primary key (family_id, chain_id, contract, request_id, wallet, block_number)
);
create index redeem_request_by_block on redeem_request (chain_id, block_number);
create index redeem_request_by_wallet on redeem_request (wallet, family_id, chain_id);
