import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';

/** Facts about a vault that its logs show, and that change what its figures mean. */
export const NOTICE_CODES = {
  'unseen-deposit': 1,
  'booked-redemption': 2,
  'fixed-request': 3,
  'other-asset': 4,
  'unproven-rate': 5,
  'unpriced-shares': 6,
  'unseen-redemption': 7,
} as const;

export type NoticeCode = keyof typeof NOTICE_CODES;

/** Those that name a wallet whose cost or result is incomplete. */
export const INCOMPLETE_COST: readonly NoticeCode[] = [
  'unseen-deposit',
  'unpriced-shares',
  'unseen-redemption',
];

export interface Notice {
  readonly code: NoticeCode;
  readonly place: Pick<LogPlace, 'blockNumber' | 'blockTime'>;
  readonly txHash: Hex;
  /** The wallet that it is about; null for the entire vault. */
  readonly wallet: Address | null;
}

/** Returns what a notice means for users of the figures, in a sentence or two. */
export function noticeText(code: NoticeCode, transactions: number, txHash: Hex): string {
  switch (code) {
    case 'unseen-deposit':
      return `Shares were bought without a Deposit event in ${many(transactions)}, such as ${txHash}. Their cost counts as 0, so costBasis is too low and unrealized or realized too high for the wallets that got them.`;
    case 'booked-redemption':
      return 'Redemptions count as paid when they are requested, because the external queue of this vault burns the shares and holds no assets. A later loss in the queue lowers currentAssets and claimableAssets of pending redemptions, but not realized.';
    case 'fixed-request':
      return 'A redemption request fixes the assets that it pays, so requestedAssets is that amount and currentAssets what the shares convert to now.';
    case 'other-asset':
      return `Deposits or redemptions were paid in another asset than the base asset, such as in transaction ${txHash}. They count as the value of their shares.`;
    case 'unproven-rate':
      return 'No payment in the indexed events has confirmed the rate of this share. A wrong call, wrong decimals, or an inverse rate would give wrong values. Compare the share price with another source.';
    case 'unpriced-shares':
      return `Shares moved before they had a price in ${counted(transactions)}, such as ${txHash}. What they were worth is unknown and counts as 0, so costBasis is too low and unrealized or realized too high for the wallets that got them.`;
    case 'unseen-redemption':
      return `Shares were paid out in ${many(transactions)}, such as ${txHash}, without a Withdraw event, or from the vault itself, which custody does not list. These redemptions are missing: their shares count as sent, and realized leaves out their payment for the wallets that got it.`;
    default:
      return code satisfies never;
  }
}

function many(transactions: number): string {
  const isMax = transactions >= MAX_UNSEEN;
  return isMax ? `at least ${MAX_UNSEEN} transactions` : counted(transactions);
}

function counted(transactions: number): string {
  return transactions === 1 ? '1 transaction' : `${transactions} transactions`;
}

/** More transactions would add nothing to the notice. */
export const MAX_UNSEEN = 20;
