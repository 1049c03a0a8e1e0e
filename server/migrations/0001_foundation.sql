-- Times are Unix seconds. Addresses and hashes are bytea. Amounts are base units.

create table chain (
  chain_id      bigint primary key,
  genesis_hash  bytea not null,
  head          bigint,
  head_time     bigint,
  finalized     bigint,
  indexed_block bigint,
  indexed_time  bigint,
  -- live | syncing | unreachable; a chain without a URL has no row
  state         text not null,
  backfilled    boolean not null default false,
  error         text,
  error_since   bigint,
  updated_at    bigint not null
);

create table family (
  family_id smallint generated always as identity primary key,
  slug      text not null unique,
  -- last instant up to which ticks exist; and up to which movements are folded into positions
  tick_until     bigint not null default 0,
  position_until bigint not null default 0
);

-- One thing read from one chain: a family's contracts there, or a price aggregator. Each has its own
-- checkpoint, so adding one re-indexes nothing else.
create table source (
  chain_id      bigint not null,
  key           text not null,
  family_id     smallint references family,
  feed          text,
  -- what is read and from where; a change of it starts the source anew
  fingerprint   text not null,
  start_block   bigint not null,
  -- time of start_block; null until the chain was first read
  start_time    bigint,
  indexed_block bigint not null,
  indexed_time  bigint not null,
  -- false while the chain cannot be read: then it holds nobody back
  readable      boolean not null default true,
  primary key (chain_id, key)
);

-- Recent blocks by hash: where a reorganisation is found.
create table block (
  chain_id bigint not null,
  number   bigint not null,
  hash     bytea not null,
  time     bigint not null,
  primary key (chain_id, number)
);

-- What the chain says of a vault and its tokens.
create table vault (
  family_id      smallint not null references family,
  chain_id       bigint not null,
  address        bytea not null,
  authority      bytea,
  asset          bytea not null,
  asset_symbol   text not null,
  asset_name     text not null,
  asset_decimals smallint not null,
  share          bytea not null,
  share_symbol   text not null,
  share_name     text not null,
  share_decimals smallint not null,
  primary key (family_id, chain_id)
);

-- What a wallet did: deposit | withdraw | redeem | cancel. The key is the order in which it is read.
create table history (
  block_time   bigint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  family_id    smallint not null,
  type         smallint not null,
  wallet       bytea not null,
  assets       numeric(78,0) not null,
  shares       numeric(78,0) not null,
  -- value in USD at its own time; null when no price was held
  usd          double precision,
  tx_hash      bytea not null,
  primary key (block_time, chain_id, block_number, log_index)
);
create index history_by_family on history (family_id, block_time, chain_id, block_number, log_index);
create index history_by_wallet on history (wallet, block_time, chain_id, block_number, log_index);

-- Shares gained or lost by a wallet, with what they cost or brought: what positions are folded from.
create table movement (
  family_id    smallint not null,
  wallet       bytea not null,
  block_time   bigint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  -- order among the movements of one log
  part         smallint not null,
  -- deposit | exit | received | sent
  kind         smallint not null,
  shares       numeric(78,0) not null,
  assets       numeric(78,0) not null,
  primary key (family_id, wallet, block_time, chain_id, block_number, log_index, part)
);
create index movement_by_time on movement (family_id, block_time, chain_id, block_number, log_index, part);

create table position (
  family_id smallint not null,
  wallet    bytea not null,
  shares    numeric(78,0) not null,
  cost      numeric(78,0) not null,
  realized  numeric(78,0) not null,
  primary key (family_id, wallet)
);

-- Share prices published on a chain: base units of the base asset for one whole share.
create table share_price (
  family_id    smallint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  block_time   bigint not null,
  price        numeric(78,0) not null,
  primary key (family_id, chain_id, block_number, log_index)
);

-- USD prices of base assets, by feed: value × 10^-decimals.
create table price (
  feed         text not null,
  at           bigint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  value        numeric(78,0) not null,
  decimals     smallint not null,
  primary key (feed, at, block_number, log_index)
);

-- Pool declarations, one row per event; the highest (epoch, block, log) of a pool is in force.
create table pool (
  family_id    smallint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  log_index    integer not null,
  block_time   bigint not null,
  pool_id      bytea not null,
  offchain_id  text not null,
  venue        bytea not null,
  venue_kind   smallint not null,
  idle_only    boolean not null,
  -- 0 removed, 1 active, 2 exit-only
  status       smallint not null,
  risk_score   smallint not null,
  epoch        bigint not null,
  primary key (family_id, chain_id, block_number, log_index)
);

-- A family's state on one chain at one block, read at a tick's instant.
create table chain_tick (
  family_id                 smallint not null,
  chain_id                  bigint not null,
  at                        bigint not null,
  block_number              bigint not null,
  idle                      numeric(78,0) not null,
  invested                  numeric(78,0) not null,
  pending_exits             numeric(78,0) not null,
  pending_redemption_assets numeric(78,0) not null,
  share_supply              numeric(78,0) not null,
  -- null while the chain publishes no price
  share_price               numeric(78,0),
  reward_per_year           numeric(78,0) not null,
  primary key (family_id, chain_id, at)
);

create table pool_tick (
  family_id           smallint not null,
  chain_id            bigint not null,
  pool_id             bytea not null,
  at                  bigint not null,
  block_number        bigint not null,
  value               numeric(78,0) not null,
  pending_exit        numeric(78,0) not null,
  -- what could be taken out at once; null in past ticks, where it is not read
  available_liquidity numeric(78,0),
  -- assets for 10^18 base units of the venue's shares
  share_price         numeric(78,0) not null,
  -- the venue's own stated yearly rate × 10^18; null when it states none, and in past ticks
  stated_rate         numeric(78,0),
  -- base units of the base asset streamed to this holding per year
  reward_per_year     numeric(78,0) not null,
  primary key (family_id, chain_id, pool_id, at)
);

-- The family over all its chains. Columns are null where an imported series does not have them.
create table tick (
  family_id                 smallint not null,
  at                        bigint not null,
  tvl                       numeric(78,0),
  idle                      numeric(78,0),
  invested                  numeric(78,0),
  pending_exits             numeric(78,0),
  pending_redemption_assets numeric(78,0),
  total_shares              numeric(78,0),
  assets_per_share          numeric(78,0),
  usd                       double precision,
  apy_1d                    double precision,
  apy_7d                    double precision,
  apy_30d                   double precision,
  reward_apr                double precision,
  imported                  boolean not null,
  primary key (family_id, at)
);

-- The last tick of each UTC hour and day, per series, with that tick's own instant.
create table tick_rollup (
  family_id        smallint not null,
  -- 3600 or 86400
  span             integer not null,
  bucket           bigint not null,
  tvl_at           bigint,
  tvl              numeric(78,0),
  usd              double precision,
  apy_at           bigint,
  apy              double precision,
  share_price_at   bigint,
  assets_per_share numeric(78,0),
  imported         boolean not null,
  primary key (family_id, span, bucket)
);
