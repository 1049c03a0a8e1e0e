-- The rows of a wallet lie all over the table: with all that a page shows in the index, it reads two or three places
-- instead of twenty.
drop index history_by_wallet;
create index history_by_wallet on history (wallet, block_time, chain_id, block_number, log_index)
  include (family_id, type, assets, shares, usd, tx_hash);
