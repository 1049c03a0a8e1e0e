-- Shares minted without a deposit or burned without a payment: few, and read over long windows.
create index concurrently movement_without_assets on movement (family_id, block_time) include (kind, shares)
  where assets = 0 and kind in (2, 3);
