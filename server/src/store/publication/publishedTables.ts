/**
 * Version of the tables and columns below. Raise it with each change of them, and describe the change in
 * docs/replication.md.
 */
export const PUBLICATION_VERSION = 1;

/**
 * Tables and columns for other databases; the first columns of each are its primary key. Columns are listed, so that a
 * migration that adds one does not stop subscribers that lack it. Payments, keys, and sold data do not belong here.
 */
export const PUBLISHED_TABLES: Readonly<Record<string, string>> = {
  publication_version: 'publication, version, published_at',
  family: 'family_id, slug, tick_until',
  vault:
    'family_id, chain_id, address, authority, asset, asset_symbol, asset_name, asset_decimals, share, share_symbol, share_name, share_decimals',
  history:
    'block_time, chain_id, block_number, log_index, family_id, type, wallet, assets, shares, usd, tx_hash, request_id',
  history_vault: 'chain_id, block_number, log_index, family_id, vault',
  movement:
    'family_id, wallet, block_time, chain_id, block_number, log_index, part, kind, shares, assets, tx_hash',
  share_price: 'family_id, chain_id, block_number, log_index, block_time, price',
  price: 'feed, at, block_number, log_index, chain_id, value, decimals, updated_at',
  price_outage: 'family_id, chain_id, block_number, log_index, block_time, feed, ended',
  pool: 'family_id, chain_id, block_number, log_index, block_time, pool_id, offchain_id, venue, venue_kind, idle_only, status, risk_score, epoch, found, name, protocol_name, composition',
  governance:
    'family_id, block_time, chain_id, block_number, log_index, tx_hash, contract, kind, event, subject, old_value, new_value, effective_at, announced_seq',
  chain_tick:
    'family_id, chain_id, at, block_number, idle, invested, pending_exits, pending_redemption_assets, share_supply, share_price, reward_per_year, ratio_assets, ratio_shares',
  pool_tick:
    'family_id, chain_id, pool_id, at, block_number, value, pending_exit, available_liquidity, share_price, stated_rate, reward_per_year',
  tick: 'family_id, at, tvl, idle, invested, pending_exits, pending_redemption_assets, total_shares, assets_per_share, usd, apy_1d, apy_7d, apy_30d, reward_apr, imported, ratio_assets, ratio_shares',
  tick_rollup:
    'family_id, span, bucket, tvl_at, tvl, usd, apy_at, apy, share_price_at, assets_per_share, imported',
  gap: 'family_id, chain_id, reason, from_block, to_block, from_time, to_time, found_at, initial',
  alert_transition:
    'id, name, family_id, chain_id, kind, status, at, block_number, value, bound, by_clock, applied_seq, final_seq, retracted_seq',
  event_batch:
    'seq, chain_id, state, families, from_block, to_block, from_time, to_time, committed_at',
  event_retracted:
    'id, retracted_seq, applied_seq, final_seq, chain_id, family_id, block_number, log_index, type, block_time, wallet, kind, assets, shares, tx_hash, vault, detail',
  event_note: 'seq, place, type, family_id, block_number, block_time, detail',
  event_chain: 'chain_id, final_block',
};
