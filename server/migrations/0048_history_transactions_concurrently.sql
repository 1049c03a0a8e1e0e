-- The items of one transaction. Transactions are only looked up one by one, so a hash index does, and is the smallest.
create index concurrently history_by_transaction on history using hash (tx_hash);
