-- Burns without a Withdraw event that were examined and not paid for are kept with such mints: they limit what is examined, too.
alter table free_mint add column is_burn boolean not null default false;
