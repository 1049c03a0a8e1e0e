import { getStatement, type StatementFamily, type WalletStatement } from '@assay/client';
import { readChoice, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { openTimeZone } from '../domain/timeZone.ts';
import { COST_METHODS } from '../domain/wallet/accounting/costMethod.ts';
import {
  STATEMENT_FORMATS,
  statementFile,
} from '../domain/wallet/accounting/export/statementFile.ts';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, usdText } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { walletPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';
import { METHOD_FLAG, readWallet, WALLET_FLAGS } from './read/wallet.ts';

export const command = defineRead({
  usage: 'statement WALLET --year YEAR',
  details:
    'Shows balances and movements of a calendar year. --format prints its movements as a file for a tax program or for bookkeeping.',
  examples: [
    'statement 0x… --year 2026 --method fifo',
    'statement 0x… --year 2026 --time-zone Europe/Zurich --format koinly',
  ],
  flags: {
    year: { value: 'YEAR', text: 'Calendar year' },
    'time-zone': { value: 'ZONE', text: 'Time zone, such as Europe/Zurich (default UTC)' },
    ...METHOD_FLAG,
    wallet: {
      value: 'WALLET',
      text: 'Another wallet of the same owner; can be repeated',
      repeated: true,
    },
    ...WALLET_FLAGS,
    format: {
      value: 'FORMAT',
      text: 'File: koinly, cointracking, or journal',
      choices: STATEMENT_FORMATS,
    },
  },
  argument: 'WALLET',
  read(flags, wallet) {
    const year = readWholeNumber(flags, 'year', { from: 2015, to: 2100 });
    if (year === undefined) throw new UsageError('--year is missing; add a calendar year');
    const timeZone = flags.get('time-zone') ?? 'UTC';
    if (openTimeZone(timeZone) === undefined) {
      throw new UsageError(
        '--time-zone is not a time zone of the IANA database; use a name such as Europe/Zurich',
      );
    }
    const format = readChoice(flags, 'format', STATEMENT_FORMATS);
    if (format !== undefined && ['csv', 'json', 'select'].some((name) => flags.has(name))) {
      throw new UsageError('use either --format or another output flag, not both');
    }
    const { walletAddress, family } = readWallet(
      flags,
      needed(wallet, 'wallet', 'statement 0x… --year 2026'),
    );
    const others = flags.get('wallet')?.split('\n') ?? [];
    for (const other of others) readWallet(flags, other);
    const method = readChoice(flags, 'method', COST_METHODS) ?? 'average';
    return { walletAddress, family, others, year, timeZone, method, format };
  },
  family: ({ family }) => family,
  page: ({ walletAddress, family }) => walletPage(walletAddress, { family }),
  ask: (client, { walletAddress, family, others, year, timeZone, method }) =>
    getStatement(client, {
      ...{ walletAddress, year, timeZone, method },
      ...(others.length > 0 && { wallets: others.join(',') }),
      ...(family !== undefined && { family }),
    }),
  json: (statement) => statement,
  csv: ({ families }) =>
    renderCsv<StatementFamily>(
      [
        { name: 'family', value: ({ family }) => family },
        { name: 'asset', value: ({ baseAssetSymbol }) => baseAssetSymbol },
        { name: 'openingShares', value: (row) => shares(row, row.opening.shares) },
        { name: 'openingCost', value: (row) => assets(row, row.opening.cost) },
        { name: 'openingValue', value: (row) => assets(row, row.opening.value) },
        { name: 'deposits', value: (row) => assets(row, row.deposits.assets) },
        { name: 'exits', value: (row) => assets(row, row.exits.assets) },
        { name: 'transfersIn', value: (row) => assets(row, row.transfersIn.assets) },
        { name: 'transfersInShares', value: (row) => shares(row, row.transfersIn.shares) },
        { name: 'transfersOutShares', value: (row) => shares(row, row.transfersOut.shares) },
        { name: 'rewardShares', value: (row) => shares(row, row.rewards.shares) },
        { name: 'feeShares', value: (row) => shares(row, row.fees.shares) },
        { name: 'realized', value: (row) => assets(row, row.realized) },
        { name: 'realizedUsd', value: ({ realizedUsd }) => realizedUsd },
        { name: 'unrealizedChange', value: (row) => assets(row, row.unrealizedChange) },
        { name: 'closingShares', value: (row) => shares(row, row.closing.shares) },
        { name: 'closingCost', value: (row) => assets(row, row.closing.cost) },
        { name: 'closingValue', value: (row) => assets(row, row.closing.value) },
      ],
      families,
    ),
  show(statement, screen, { format, timeZone }) {
    const { wallets, families, totals, year } = statement;
    if (format !== undefined) {
      return statementFile(families, format, openTimeZone(timeZone)!).trimEnd().split('\r\n');
    }
    const { bold, dim } = screen.style;
    const title = bold(`${year}, ${plain(timeZone)}, ${plain(statement.method)}`);
    if (families.length === 0) return [title, 'no shares and no movements in this year'];
    const amount = (of: (row: StatementFamily) => string | null) => (row: StatementFamily) =>
      amountText(of(row), row.baseAssetDecimals);
    const right = true as const;
    return [
      title,
      ...wallets.map(plain),
      ...renderTable<StatementFamily>(
        [
          { title: 'FAMILY', value: ({ family }) => family, narrow: 8 },
          { title: 'ASSET', value: ({ baseAssetSymbol }) => baseAssetSymbol, narrow: 6 },
          { title: 'OPENING', value: amount(({ opening }) => opening.value), right },
          { title: 'IN', value: amount(({ deposits }) => deposits.assets), right },
          { title: 'OUT', value: amount(({ exits }) => exits.assets), right },
          { title: 'REALIZED', value: amount(({ realized }) => realized), right },
          { title: 'CLOSING', value: amount(({ closing }) => closing.value), right, spare: 2 },
          {
            title: 'MOVEMENTS',
            value: ({ entries }) => `${entries.length}`,
            right,
            spare: 1,
          },
        ],
        families,
        screen,
      ),
      '',
      `worth ${usdText(totals.openingValueUsd)} USD before, ${bold(usdText(totals.closingValueUsd))} after, realized ${usdText(totals.realizedUsd)}`,
      ...(totals.unpricedFamilies.length === 0
        ? []
        : [
            dim(
              `not included, because no price is available: ${totals.unpricedFamilies.map(plain).join(', ')}`,
            ),
          ]),
    ];
  },
  notes: ({ incompleteChains }: WalletStatement) =>
    incompleteChains.map(
      ({ family, chainId, reason }) =>
        `incomplete: ${plain(family)} on chain ${chainId} is ${plain(reason)}; movements can be missing`,
    ),
});

function assets({ baseAssetDecimals }: StatementFamily, units: string | null): string {
  return exactAmount(units, baseAssetDecimals);
}

function shares({ shareDecimals }: StatementFamily, units: string | null): string {
  return exactAmount(units, shareDecimals);
}
