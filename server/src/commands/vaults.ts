import { type ListedVault, listAllVaults } from '@assay/client';
import { readWholeNumber } from '../cli/flags.ts';
import { renderCsv } from '../terminal/csv.ts';
import {
  amountText,
  exactAmount,
  percentText,
  UNKNOWN,
  usdText,
} from '../terminal/formatNumber.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { plain, wrap } from '../terminal/text.ts';
import { ageText } from '../terminal/times.ts';
import { AT_FLAG, readAt } from './read/at.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { pageOf } from './read/pages.ts';
import { defineRead } from './read/readCommand.ts';

interface Vaults {
  readonly vaults: readonly ListedVault[];
  readonly nameOf: NameOfChain;
}

export const command = defineRead({
  usage: 'vaults',
  details:
    'Lists vault families. Values are totals over all chains of a family. A dash means unknown.',
  examples: ['vaults', 'vaults --asset USDC --csv'],
  flags: {
    chain: { value: 'ID', text: 'Only families on this chain, such as 8453' },
    asset: { value: 'ASSET', text: 'Only families with this base asset: symbol or address' },
    ...AT_FLAG,
  },
  read: (flags) => ({
    chainId: readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER }),
    baseAsset: flags.get('asset'),
    asOf: readAt(flags),
  }),
  page: ({ chainId: chain, baseAsset: asset }) => pageOf([], { chain, asset }),
  async ask(client, { chainId, baseAsset, asOf }): Promise<Vaults> {
    const [vaults, nameOf] = await Promise.all([
      listAllVaults(client, {
        ...(chainId !== undefined && { chainId }),
        ...(baseAsset !== undefined && { baseAsset }),
        ...asOf,
      }),
      getChainNames(client),
    ]);
    return { vaults, nameOf };
  },
  json: ({ vaults }) => vaults,
  csv: ({ vaults }) =>
    renderCsv(
      [
        { name: 'family', value: ({ slug }) => slug },
        { name: 'name', value: ({ name }) => name },
        { name: 'address', value: ({ address }) => address },
        { name: 'feederOf', value: ({ feederOf }) => feederOf },
        { name: 'asset', value: ({ assets }) => assets?.base.symbol },
        { name: 'tvl', value: (vault) => exactAmount(vault.stats?.tvl, decimalsOf(vault)) },
        { name: 'tvlUsd', value: ({ stats }) => stats?.tvlUsd },
        { name: 'idle', value: (vault) => exactAmount(vault.stats?.idle, decimalsOf(vault)) },
        {
          name: 'invested',
          value: (vault) => exactAmount(vault.stats?.invested, decimalsOf(vault)),
        },
        {
          name: 'sharePrice',
          value: (vault) => exactAmount(vault.stats?.assetsPerShare, decimalsOf(vault)),
        },
        { name: 'apy1d', value: ({ stats }) => stats?.apy1d },
        { name: 'apy7d', value: ({ stats }) => stats?.apy7d },
        { name: 'apy30d', value: ({ stats }) => stats?.apy30d },
        { name: 'rewardApr', value: ({ stats }) => stats?.rewardApr },
        { name: 'chains', value: ({ chains }) => chains.map(({ chainId }) => chainId).join(' ') },
        { name: 'updatedAt', value: ({ stats }) => stats?.updatedAt },
      ],
      vaults,
    ),
  show({ vaults, nameOf }, screen) {
    if (vaults.length === 0) return ['no matching vault families'];
    return [
      ...renderTable(columnsOf(nameOf, screen), vaults, screen),
      '',
      ...summary(vaults, screen),
    ];
  },
});

function columnsOf(nameOf: NameOfChain, { style }: Screen): readonly Column<ListedVault>[] {
  const amount =
    (units: (vault: ListedVault) => string | null | undefined) => (vault: ListedVault) =>
      amountText(units(vault), decimalsOf(vault));
  const rate = (text: string) => (text.startsWith('-') ? style.red(text) : text);
  return [
    { title: 'FAMILY', value: ({ slug }) => slug, paint: style.cyan },
    { title: 'NAME', value: ({ name }) => name, spare: 7, narrow: 12 },
    { title: 'ASSET', value: ({ assets }) => assets?.base.symbol ?? UNKNOWN, narrow: 6 },
    { title: 'TVL', value: amount(({ stats }) => stats?.tvl), right: true },
    { title: 'USD', value: ({ stats }) => usdText(stats?.tvlUsd), right: true, spare: 1 },
    { title: 'IDLE', value: amount(({ stats }) => stats?.idle), right: true, spare: 6 },
    {
      title: 'OWED',
      value: amount(({ stats }) => stats?.pendingRedemptionAssets),
      right: true,
      spare: 8,
    },
    {
      title: 'SHARE',
      value: amount(({ stats }) => stats?.assetsPerShare),
      right: true,
      spare: 3,
    },
    {
      title: 'APY 1D',
      value: ({ stats }) => percentText(stats?.apy1d),
      right: true,
      spare: 9,
      paint: rate,
    },
    { title: 'APY 7D', value: ({ stats }) => percentText(stats?.apy7d), right: true, paint: rate },
    {
      title: 'APY 30D',
      value: ({ stats }) => percentText(stats?.apy30d),
      right: true,
      spare: 2,
      paint: rate,
    },
    {
      title: 'REWARDS',
      value: ({ stats }) => percentText(stats?.rewardApr),
      right: true,
      spare: 10,
    },
    {
      title: 'CHAINS',
      value: ({ chains }) => chains.map(({ chainId }) => nameOf(chainId)).join(' '),
      spare: 4,
    },
    { title: 'UPDATED', value: ({ stats }) => ageText(stats?.updatedAt, Date.now()), spare: 5 },
  ];
}

/** Feeders are counted with their masters; families without a price are named, never counted as zero. */
function summary(vaults: readonly ListedVault[], { columns, style }: Screen): string[] {
  const counted = vaults.filter(
    ({ feederOf }) => feederOf === null || !vaults.some(({ slug }) => slug === feederOf),
  );
  const unpriced = counted.filter(({ stats }) => typeof stats?.tvlUsd !== 'number');
  const usd = counted.reduce((sum, { stats }) => sum + (stats?.tvlUsd ?? 0), 0);
  const words = [
    `${vaults.length} ${vaults.length === 1 ? 'family' : 'families'}`,
    ...(unpriced.length < counted.length ? [`${usdText(usd)} USD in total`] : []),
    ...(counted.length < vaults.length ? ['feeders counted with their masters'] : []),
    ...(unpriced.length > 0
      ? [`without a price: ${unpriced.map(({ slug }) => plain(slug)).join(', ')}`]
      : []),
  ];
  return wrap(words.join(' · '), columns ?? Infinity).map(style.dim);
}

/** Unknown only if nothing was read; then there are no amounts either. */
function decimalsOf({ assets }: ListedVault): number {
  return assets?.base.decimals ?? 0;
}
