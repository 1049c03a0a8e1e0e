import {
  getHistory,
  type HistoryItem,
  type HistoryPage,
  type ListedVault,
  listAllVaults,
} from '@assay/client';
import { readChoice, readWholeNumber } from '../cli/flags.ts';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, UNKNOWN } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { timeText } from '../terminal/times.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { familyPage, pageOf, walletPage } from './read/pages.ts';
import { defineRead } from './read/readCommand.ts';

const TYPES = ['deposit', 'withdraw', 'redeem', 'cancel', 'large-deposit'] as const;
const PERIODS = ['1d', '7d', '30d'] as const;

interface History {
  readonly page: HistoryPage;
  readonly vaults: readonly ListedVault[];
  readonly nameOf: NameOfChain;
}

export const command = defineRead({
  usage: 'history',
  details:
    'Lists deposits and redemptions, newest first. For the next page, pass nextCursor of --json to --cursor.',
  examples: ['history --family svcusd --period 7d', 'history --wallet 0x… --limit 500 --csv'],
  flags: {
    family: { value: 'SLUG', text: 'Only this vault family' },
    wallet: {
      value: 'ADDRESS',
      text: 'Only this wallet (receiver of redemptions)',
    },
    transaction: { value: 'HASH', text: 'Only the items of this transaction' },
    chain: { value: 'ID', text: 'Only this chain' },
    type: {
      value: 'TYPE',
      text: `${TYPES.slice(0, 4).join(', ')}, or large-deposit`,
      choices: TYPES,
    },
    period: { value: 'TIME', text: 'Not older than 1d, 7d, or 30d', choices: PERIODS },
    limit: { value: 'N', text: 'Number of entries, 1 to 500 (default 20)' },
    cursor: { value: 'TEXT', text: 'Continue after a page; use the same flags' },
  },
  read: (flags) =>
    defined({
      family: flags.get('family'),
      user: flags.get('wallet'),
      transactionHash: flags.get('transaction'),
      chainId: readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER }),
      type: readChoice(flags, 'type', TYPES),
      period: readChoice(flags, 'period', PERIODS),
      limit: readWholeNumber(flags, 'limit', { from: 1, to: 500 }),
      cursor: flags.get('cursor'),
    }),
  family: ({ family }) => family,
  // The dashboard lists wallet activity on the wallet's page.
  page({ user, family, chainId: chain, type, period }) {
    if (user !== undefined) return walletPage(user, { family, chain, type, period });
    return family === undefined ? pageOf([]) : familyPage(family);
  },
  async ask(client, asked): Promise<History> {
    const [page, vaults, nameOf] = await Promise.all([
      getHistory(client, asked),
      listAllVaults(client),
      getChainNames(client),
    ]);
    return { page, vaults, nameOf };
  },
  json: ({ page }) => page,
  csv({ page, vaults }) {
    const familyOf = createFamilyOf(vaults);
    return renderCsv(
      [
        {
          name: 'at',
          value: ({ blockTimestamp }) => new Date(blockTimestamp * 1000).toISOString(),
        },
        { name: 'type', value: ({ type }) => type },
        { name: 'family', value: (item) => familyOf(item)?.slug },
        { name: 'chainId', value: ({ chainId }) => chainId },
        { name: 'vault', value: ({ vaultAddress }) => vaultAddress },
        { name: 'wallet', value: ({ user }) => user },
        {
          name: 'assets',
          value: (item) => exact(item.assets, familyOf(item)?.assets?.base.decimals),
        },
        { name: 'asset', value: (item) => familyOf(item)?.assets?.base.symbol },
        {
          name: 'shares',
          value: (item) => exact(item.shares, familyOf(item)?.assets?.share.decimals),
        },
        { name: 'transaction', value: ({ transactionHash }) => transactionHash },
      ],
      page.items,
    );
  },
  show({ page, vaults, nameOf }, screen) {
    const { style } = screen;
    const familyOf = createFamilyOf(vaults);
    const notes = page.incompleteChains.map(
      ({ family, chainId, reason }) =>
        `incomplete: ${plain(family)} on ${nameOf(chainId)} is ${plain(reason)}`,
    );
    const lines = renderTable<HistoryItem>(
      [
        { title: 'TIME (UTC)', value: ({ blockTimestamp }) => timeText(blockTimestamp) },
        { title: 'TYPE', value: ({ type }) => type },
        { title: 'FAMILY', value: (item) => familyOf(item)?.slug ?? UNKNOWN, narrow: 8 },
        { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId), spare: 2 },
        {
          title: 'ASSETS',
          value: (item) => amountOf(item.assets, familyOf(item)?.assets?.base),
          right: true,
        },
        {
          title: 'SHARES',
          value: (item) => amountOf(item.shares, familyOf(item)?.assets?.share, false),
          right: true,
          spare: 3,
        },
        { title: 'WALLET', value: ({ user }) => user, spare: 1, narrow: 11, middle: true },
        {
          title: 'TRANSACTION',
          value: ({ transactionHash }) => transactionHash,
          spare: 4,
          narrow: 11,
          middle: true,
        },
      ],
      page.items,
      screen,
    );
    const shown = page.items.length === 0 ? ['no matching entries'] : lines;
    const more =
      page.nextCursor === null ? [] : ['more entries exist: raise --limit or use --cursor'];
    const below = [...notes, ...more].map((note) => style.dim(note));
    return below.length === 0 ? shown : [...shown, '', ...below];
  },
});

type FamilyOf = (item: HistoryItem) => ListedVault | undefined;

/** An address can belong to different families on different chains. */
function createFamilyOf(vaults: readonly ListedVault[]): FamilyOf {
  const byVault = new Map(
    vaults.flatMap((vault) =>
      vault.chains.map((chain) => [`${chain.chainId} ${chain.vault}`, vault] as const),
    ),
  );
  return ({ chainId, vaultAddress }) => byVault.get(`${chainId} ${vaultAddress}`);
}

/** Formats base units if the decimals are unknown. */
function amountOf(
  units: string | null,
  token: { readonly decimals: number; readonly symbol: string } | undefined,
  named = true,
): string {
  if (units === null) return UNKNOWN;
  if (token === undefined) return `${units} units`;
  return `${amountText(units, token.decimals)}${named ? ` ${token.symbol}` : ''}`;
}

function exact(units: string | null, decimals: number | undefined): string {
  return decimals === undefined ? '' : exactAmount(units, decimals);
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Omits undefined parameters. */
function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Defined<Fields>;
}
