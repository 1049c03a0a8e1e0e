import { eventTopic, fn } from '../../chain/abi.ts';

export const REDEEM_REQUEST = eventTopic(
  'event RedeemRequest(address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant)',
);
export const REQUEST_CANCELLED = eventTopic(
  'event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets)',
);
export const SHARE_PRICE_UPDATED = eventTopic(
  'event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp)',
);

export const balanceOf = fn('balanceOf(address)');
export const totalPendingAssets = fn('totalPendingAssets()');
export const getLatestPrice = fn('getLatestPrice(address)');
export const pendingRedeemRequest = fn('pendingRedeemRequest(address)');
export const convertToAssets = fn('convertToAssets(uint256)');
