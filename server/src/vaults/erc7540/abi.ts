import { eventTopic, fn } from '../../chain/abi.ts';

export const REDEEM_REQUEST = eventTopic(
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
);
export const DEPOSIT_REQUEST = eventTopic(
  'event DepositRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 assets)',
);
/** Lagoon emits this instead of Deposit when it takes assets at once. */
export const DEPOSIT_SYNC = eventTopic(
  'event DepositSync(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
);
/** Lagoon emits this instead of Withdraw when it pays at once. */
export const WITHDRAW_SYNC = eventTopic(
  'event WithdrawSync(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
);
/** A cancelled request of Lagoon: its shares return at once. */
export const REDEEM_REQUEST_CANCELED = eventTopic(
  'event RedeemRequestCanceled(uint256 indexed requestId, address indexed controller, uint256 requestedAmount)',
);
/** A cancelled request of Superform, without an amount: the shares go to its sender. */
export const REDEEM_REQUEST_CANCELLED = eventTopic(
  'event RedeemRequestCancelled(address indexed controller, address indexed sender)',
);
/** Receiver and controller are in either order; the transfer shows who received the shares. */
export const CANCEL_REDEEM_CLAIM = eventTopic(
  'event CancelRedeemClaim(address indexed receiver, address indexed controller, uint256 indexed requestId, address sender, uint256 shares)',
);
export const APPROVAL = eventTopic(
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
);

export const pendingRedeemRequest = fn('pendingRedeemRequest(uint256,address)');
export const claimableRedeemRequest = fn('claimableRedeemRequest(uint256,address)');
export const pendingDepositRequest = fn('pendingDepositRequest(uint256,address)');
export const claimableDepositRequest = fn('claimableDepositRequest(uint256,address)');
export const claimableCancelDepositRequest = fn('claimableCancelDepositRequest(uint256,address)');
export const claimableCancelRedeemRequest = fn('claimableCancelRedeemRequest(uint256,address)');
export const maxRedeem = fn('maxRedeem(address)');
export const maxWithdraw = fn('maxWithdraw(address)');
export const maxMint = fn('maxMint(address)');
export const convertToAssets = fn('convertToAssets(uint256)');
