-- The number that an ERC-7540 vault gave a redemption request; null for all else, and for vaults that do not number.
alter table history add column request_id numeric(78,0);
create index history_requests on history (wallet, family_id, chain_id, request_id) where request_id is not null;
