-- What shares are worth, with all the digits that a vault has: ratio_assets base units of assets for ratio_shares base
-- units of shares. One whole share of an asset with few decimals hides months of yield.
alter table chain_tick add column ratio_assets numeric(78,0);
alter table chain_tick add column ratio_shares numeric(78,0);
update chain_tick t set ratio_assets = t.share_price, ratio_shares = power(10::numeric, v.share_decimals)
  from vault v where v.family_id = t.family_id and v.chain_id = t.chain_id and t.share_price is not null;
alter table tick add column ratio_assets numeric(78,0);
alter table tick add column ratio_shares numeric(78,0);
update tick t set ratio_assets = t.assets_per_share, ratio_shares = power(10::numeric, v.share_decimals)
  from (select family_id, max(share_decimals) as share_decimals from vault group by family_id) v
  where v.family_id = t.family_id and t.assets_per_share is not null;

-- A share may be worth another amount on each chain: {"8453":"1000000"}, as JSON.
alter table position add column shares_on text not null default '{}';
update position p set shares_on = held.shares_on from (
  select family_id, wallet, json_object_agg(chain_id::text, shares::text)::text as shares_on from (
    select m.family_id, m.wallet, m.chain_id, sum(case when m.kind in (1, 3) then m.shares else -m.shares end) as shares
    from movement m join family f on f.family_id = m.family_id and m.block_time <= f.position_until
    group by m.family_id, m.wallet, m.chain_id) by_chain
  group by family_id, wallet) held
where held.family_id = p.family_id and held.wallet = p.wallet;

-- What a wallet has waiting at a vault from a block on: shares, and what they are paid with or will be paid.
create table wallet_queue (
  family_id               smallint not null,
  chain_id                bigint not null,
  wallet                  bytea not null,
  block_number            bigint not null,
  block_time              bigint not null,
  pending_redeem          numeric(78,0) not null,
  claimable_redeem        numeric(78,0) not null,
  claimable_redeem_assets numeric(78,0) not null,
  deposit_shares          numeric(78,0) not null,
  -- null where it was paid in another asset than the family's
  deposit_assets          numeric(78,0),
  returning_shares        numeric(78,0) not null,
  pending_deposit         numeric(78,0) not null,
  -- the same in another asset, at further vaults over the share
  pending_further         numeric(78,0) not null,
  primary key (family_id, chain_id, wallet, block_number)
);
create index wallet_queue_by_block on wallet_queue (chain_id, block_number);
create index wallet_queue_by_wallet on wallet_queue (wallet, family_id, chain_id, block_number);

-- Accounts that events have shown to hold shares for others.
create table custody (
  family_id    smallint not null,
  chain_id     bigint not null,
  account      bytea not null,
  block_number bigint not null,
  primary key (family_id, chain_id, account)
);

-- Pools that no event declares: found by a look at an allocator, or named in the file.
alter table pool add column found boolean not null default false;
alter table pool add column name text;
alter table pool add column protocol_name text;
-- what it holds and what backs it, as JSON; null where nobody can tell
alter table pool add column composition text;

-- Which vault a history item is of, where that is not the family's own on its chain: a further one over the same share.
create table history_vault (
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  family_id    smallint not null,
  vault        bytea not null,
  primary key (chain_id, block_number, log_index)
);

-- An indexer of an older version would leave it as it stands: without a default it cannot write positions any more.
alter table position alter column shares_on drop default;
