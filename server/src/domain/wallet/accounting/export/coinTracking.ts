import type { TimeZone } from '../../../timeZone.ts';
import type { MoveType } from '../moveType.ts';
import { csvText, describe, type ExportedFamily, rowsOf, timeOf } from './exported.ts';

const HEAD = [
  ...['Type', 'Buy Amount', 'Buy Currency', 'Sell Amount', 'Sell Currency', 'Fee', 'Fee Currency'],
  ...['Exchange', 'Trade-Group', 'Comment', 'Date', 'Tx-ID'],
];
const TYPES: Readonly<Record<MoveType, string>> = {
  deposit: 'Trade',
  exit: 'Trade',
  received: 'Deposit',
  sent: 'Withdrawal',
  reward: 'Reward / Bonus',
  fee: 'Other Fee',
};

/** CoinTracking's format for files of one's own. Its times are those of the account, so of the statement's zone. */
export function coinTrackingCsv(families: readonly ExportedFamily[], zone: TimeZone): string {
  const rows = rowsOf(families).map((row) => {
    const { entry, family } = row;
    const { type, transactionHash } = entry;
    const shares = [row.shares, family.shareSymbol];
    const assets = [row.assets, family.baseAssetSymbol];
    const none = ['', ''];
    const [bought, sold] =
      type === 'deposit'
        ? [shares, assets]
        : type === 'exit'
          ? [assets, shares]
          : type === 'received' || type === 'reward'
            ? [shares, none]
            : [none, shares];
    return [
      TYPES[type],
      ...bought,
      ...sold,
      ...none,
      family.family,
      '',
      describe(row),
      timeOf(entry, zone),
      transactionHash,
    ];
  });
  return csvText(HEAD, rows);
}
