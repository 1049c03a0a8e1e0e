-- Shares that moved without assets: transfers, mints without a deposit, and burns without a payment. They are read over long windows.
create index concurrently movement_without_assets on movement (family_id, block_time) include (kind, shares)
  where kind in (3, 4) or (kind = 2 and assets = 0);
