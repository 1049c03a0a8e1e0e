-- A reorganisation can take a settlement back, and a service can claim one that never was. So each is watched until its
-- block is final: seen in a block, or lost (state 6: served, not paid) as seen at a block, after which it cannot be paid.
alter table payment
  add column block_number bigint,
  add column block_hash bytea,
  -- when the chain's word on it became final; until then both states can turn into each other
  add column final_at bigint,
  add column lost_at bigint;
-- What was settled before was believed, and is old enough.
update payment set final_at = settled_at where state = 3;

-- 0: not seen in any block yet, or no more.
create index payment_watched on payment (coalesce(block_number, 0)) where state in (3, 6) and final_at is null;
create index payment_lost on payment (settled_at) where state = 6;
-- Who lost a payment may pay anew under the same name.
drop index payment_identifier;
create unique index payment_identifier on payment (payer, identifier)
  where identifier is not null and state not in (4, 6);
