import type { TimeZone } from '../../../timeZone.ts';
import type { MoveType } from '../moveType.ts';
import {
  csvText,
  describe,
  type ExportedFamily,
  type ExportedRow,
  rowsOf,
  timeOf,
  tokens,
} from './exported.ts';

const HEAD = [
  ...['Date', 'Entry', 'Account', 'Debit', 'Credit', 'Currency', 'Description', 'Transaction'],
];

/** An amount on an account: a debit above zero, a credit below. */
interface Posting {
  readonly account: string;
  readonly amount: bigint;
  readonly decimals: number;
  readonly currency: string;
}

/** Where the other side of a change of cost stands, beside what was paid: a gain or a loss, or a transfer. */
const OTHER_SIDE: Readonly<Record<MoveType, readonly [debit: string, credit: string]>> = {
  deposit: ['Realized losses', 'Realized gains'],
  exit: ['Realized losses', 'Realized gains'],
  fee: ['Share fees', 'Share fees'],
  received: ['Transfers in', 'Transfers in'],
  reward: ['Rewards', 'Rewards'],
  sent: ['Transfers out', 'Transfers out'],
};

/**
 * A journal of double entries. Vault shares are kept at cost in the base asset; their number is kept in the share's own
 * currency. Debits equal credits in each entry and currency.
 */
export function journalCsv(families: readonly ExportedFamily[], zone: TimeZone): string {
  const rows = rowsOf(families).flatMap((row, index) =>
    postingsOf(row).map(({ account, amount, decimals, currency }) => [
      timeOf(row.entry, zone),
      index + 1,
      account,
      amount > 0n ? tokens(amount, decimals) : '',
      amount < 0n ? tokens(-amount, decimals) : '',
      currency,
      describe(row),
      row.entry.transactionHash,
    ]),
  );
  return csvText(HEAD, rows);
}

function postingsOf({ entry, family }: ExportedRow): Posting[] {
  const { type } = entry;
  const base = { decimals: family.baseAssetDecimals, currency: family.baseAssetSymbol };
  const share = { decimals: family.shareDecimals, currency: family.shareSymbol };
  const cost = BigInt(entry.cost);
  const assets = BigInt(entry.assets);
  const paid = type === 'exit' ? assets : type === 'deposit' ? -assets : 0n;
  const rest = -cost - paid;
  const gained = type === 'deposit' || type === 'received' || type === 'reward';
  const moved = gained ? BigInt(entry.shares) : -BigInt(entry.shares);
  const postings = [
    { account: 'Vault shares at cost', amount: cost, ...base },
    { account: 'Wallet', amount: paid, ...base },
    { account: OTHER_SIDE[type][rest > 0n ? 0 : 1], amount: rest, ...base },
    { account: 'Vault shares', amount: moved, ...share },
    { account: 'Shares of others', amount: -moved, ...share },
  ];
  return postings.filter(({ amount }) => amount !== 0n);
}
