import {
  getHistory,
  type HistoryItem,
  type HistoryPage,
  type ListedVault,
  listAllVaults,
} from '@assay/client';
import { readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, UNKNOWN } from '../terminal/figures.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { timeText } from '../terminal/times.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
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
  details: 'Newest first. A next page has --cursor with what --json told as nextCursor.',
  examples: ['history --family svcusd --period 7d', 'history --wallet 0x… --limit 500 --csv'],
  flags: {
    family: { value: 'SLUG', text: 'of one vault family' },
    wallet: { value: 'ADDRESS', text: 'of one wallet: owner of deposits, receiver of exits' },
    chain: { value: 'ID', text: 'on one chain' },
    type: { value: 'TYPE', text: `${TYPES.slice(0, 4).join(', ')} or large-deposit` },
    period: { value: 'TIME', text: 'newer than 1d, 7d or 30d' },
    limit: { value: 'N', text: 'how many, 1 to 500 (default 20)' },
    cursor: { value: 'TEXT', text: 'go on after a page, with the same flags' },
  },
  read: (flags) =>
    defined({
      family: flags.get('family'),
      user: flags.get('wallet'),
      chainId: readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER }),
      type: oneOf('type', TYPES, flags.get('type')),
      period: oneOf('period', PERIODS, flags.get('period')),
      limit: readWholeNumber(flags, 'limit', { from: 1, to: 500 }),
      cursor: flags.get('cursor'),
    }),
  family: ({ family }) => family,
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
        `not complete: ${plain(family)} on ${nameOf(chainId)}, which is ${plain(reason)}`,
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
    const shown = page.items.length === 0 ? ['nothing has happened that matches'] : lines;
    const more = page.nextCursor === null ? [] : ['there is more: raise --limit, or see --cursor'];
    const below = [...notes, ...more].map((note) => style.dim(note));
    return below.length === 0 ? shown : [...shown, '', ...below];
  },
});

type FamilyOf = (item: HistoryItem) => ListedVault | undefined;

/** One address may be another family's on another chain. */
function createFamilyOf(vaults: readonly ListedVault[]): FamilyOf {
  const byVault = new Map(
    vaults.flatMap((vault) =>
      vault.chains.map((chain) => [`${chain.chainId} ${chain.vault}`, vault] as const),
    ),
  );
  return ({ chainId, vaultAddress }) => byVault.get(`${chainId} ${vaultAddress}`);
}

/** Base units where nobody says how many of them are a whole. */
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

function oneOf<Known extends string>(
  name: string,
  known: readonly Known[],
  given: string | undefined,
): Known | undefined {
  if (given === undefined) return undefined;
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} must be one of ${known.join(', ')}; correct it`);
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Without what was not asked for. */
function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Defined<Fields>;
}
