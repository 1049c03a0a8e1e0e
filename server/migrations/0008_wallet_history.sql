-- The rows of a wallet lie all over the table: with all that a page shows in the index, it reads two or three places
-- instead of twenty. The old one serves until the new one stands.
create index history_of_wallet on history (wallet, block_time, chain_id, block_number, log_index)
  include (family_id, type, assets, shares, usd, tx_hash);
drop index history_by_wallet;
alter index history_of_wallet rename to history_by_wallet;
