import { openTimeZone } from '../../../timeZone.ts';
import type { MoveType } from '../moveType.ts';
import { csvText, describe, type ExportedFamily, rowsOf, timeOf } from './exported.ts';

const HEAD = [
  ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
  ...['Fee Amount', 'Fee Currency', 'Net Worth Amount', 'Net Worth Currency'],
  ...['Label', 'Description', 'TxHash'],
];
const LABELS: Partial<Record<MoveType, string>> = { reward: 'reward', fee: 'cost' };

/** Koinly's universal template. Its times are in UTC, whatever the statement's zone. */
export function koinlyCsv(families: readonly ExportedFamily[]): string {
  const utc = openTimeZone('UTC')!;
  const rows = rowsOf(families).map((row) => {
    const { entry, family } = row;
    const { type, usd, transactionHash } = entry;
    const shares = [row.shares, family.shareSymbol];
    const assets = [row.assets, family.baseAssetSymbol];
    const none = ['', ''];
    const [sent, received] =
      type === 'deposit'
        ? [assets, shares]
        : type === 'exit'
          ? [shares, assets]
          : type === 'received' || type === 'reward'
            ? [none, shares]
            : [shares, none];
    return [
      `${timeOf(entry, utc)} UTC`,
      ...sent,
      ...received,
      ...none,
      // Without assets there is no value that anything was exchanged at.
      ...(usd === null || entry.assets === '0' ? none : [usd.toFixed(8), 'USD']),
      LABELS[type] ?? '',
      describe(row),
      transactionHash,
    ];
  });
  return csvText(HEAD, rows);
}
