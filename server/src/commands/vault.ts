import {
  type ExposureEntry,
  getVault,
  type Pool,
  type Vault,
  type VaultChainStats,
} from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import {
  amountText,
  exactAmount,
  percentText,
  UNKNOWN,
  usdText,
} from '../terminal/formatNumber.ts';
import { renderList } from '../terminal/list.ts';
import type { Screen } from '../terminal/screen.ts';
import { renderTable } from '../terminal/table.ts';
import { cut, plain } from '../terminal/text.ts';
import { ageText, timeText } from '../terminal/times.ts';
import { AT_FLAG, readAt } from './read/at.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { familyPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';

interface VaultPage {
  readonly vault: Vault;
  readonly nameOf: NameOfChain;
}

export const command = defineRead({
  usage: 'vault SLUG',
  details:
    "Shows a family's stats, chains, pools, and exposure. With --csv, prints only the pools.",
  examples: ['vault svcusd', 'vault svcusd --json'],
  flags: AT_FLAG,
  argument: 'SLUG',
  read: (flags, slug) => ({ slug: needed(slug, 'family', 'vault svcusd'), asOf: readAt(flags) }),
  family: ({ slug }) => slug,
  page: ({ slug }) => familyPage(slug),
  async ask(client, { slug, asOf }): Promise<VaultPage> {
    const [vault, nameOf] = await Promise.all([
      getVault(client, { slug, ...asOf }),
      getChainNames(client),
    ]);
    return { vault, nameOf };
  },
  json: ({ vault }) => vault,
  csv: ({ vault: { stats } }) =>
    renderCsv(
      [
        { name: 'pool', value: ({ offchainId }) => offchainId },
        { name: 'name', value: ({ name }) => name },
        { name: 'protocol', value: ({ protocolName }) => protocolName },
        { name: 'chainId', value: ({ chainId }) => chainId },
        { name: 'value', value: ({ value }) => exactAmount(value, stats.baseAssetDecimals) },
        { name: 'allocationBps', value: ({ allocationBps }) => allocationBps },
        {
          name: 'availableLiquidity',
          value: (pool) => exactAmount(pool.availableLiquidity, stats.baseAssetDecimals),
        },
        { name: 'apy7d', value: ({ apy7d }) => apy7d },
        { name: 'mechanismApy', value: ({ mechanismApy }) => mechanismApy },
        // The API uses 0 for "not scored".
        { name: 'riskScore', value: ({ riskScore }) => riskScore || null },
        { name: 'status', value: ({ status }) => status },
      ],
      stats.pools,
    ),
  show({ vault, nameOf }, screen) {
    const { stats, exposure } = vault;
    const { bold } = screen.style;
    const section = (title: string, lines: readonly string[]) =>
      lines.length === 0 ? [] : ['', bold(title), ...lines];
    return [
      `${bold(cut(plain(vault.name), screen.columns ?? 80))} (${plain(vault.slug)})`,
      ...renderList(figuresOf(vault), screen),
      ...section('Chains', chainLines(vault, nameOf, screen)),
      ...section('Pools', poolLines(stats.pools, vault, nameOf, screen)),
      ...section('Exposure: held', exposureLines(exposure.underlying, nameOf, screen)),
      ...section('Exposure: backing', exposureLines(exposure.collateral, nameOf, screen)),
    ];
  },
});

function figuresOf({ stats, assets, ...vault }: Vault): [string, string][] {
  const amount = (units: string | null) => amountText(units, stats.baseAssetDecimals);
  const { symbol } = assets.base;
  return [
    ['vault', vault.address],
    ...(vault.feederOf === null ? [] : [['feeds', vault.feederOf] as [string, string]]),
    ['TVL', `${amount(stats.tvl)} ${symbol} (${usdText(stats.tvlUsd)} USD)`],
    ['invested', `${amount(stats.invested)} ${symbol}`],
    ['idle', `${amount(stats.idle)} ${symbol}`],
    ['leaving venues', `${amount(stats.pendingExits)} ${symbol}`],
    ['owed to redeemers', `${amount(stats.pendingRedemptionAssets)} ${symbol}`],
    ['share price', `${amount(stats.assetsPerShare)} ${symbol}`],
    ['shares', `${amountText(stats.totalShares, stats.shareDecimals)} ${assets.share.symbol}`],
    [
      'APY',
      `${percentText(stats.apy7d)} (1 day ${percentText(stats.apy1d)}, 30 days ${percentText(stats.apy30d)})`,
    ],
    ['rewards', percentText(stats.rewardApr)],
    ['as of', `${timeText(stats.updatedAt)} UTC, ${ageText(stats.updatedAt, Date.now())}`],
  ];
}

function chainLines({ chains, stats }: Vault, nameOf: NameOfChain, screen: Screen): string[] {
  const read = new Map(stats.chains.map((row) => [row.chainId, row]));
  const amount =
    (units: (row: VaultChainStats) => string) =>
    ({ chainId }: { readonly chainId: number }) => {
      const row = read.get(chainId);
      return row === undefined ? UNKNOWN : amountText(units(row), stats.baseAssetDecimals);
    };
  return renderTable(
    [
      { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId), narrow: 8 },
      { title: 'ROLE', value: ({ role }) => role, spare: 2 },
      { title: 'TVL', value: amount(({ tvl }) => tvl), right: true },
      { title: 'INVESTED', value: amount(({ invested }) => invested), right: true, spare: 1 },
      { title: 'IDLE', value: amount(({ idle }) => idle), right: true, spare: 3 },
      {
        title: 'BLOCK',
        value: ({ chainId }) => read.get(chainId)?.block ?? UNKNOWN,
        right: true,
        spare: 4,
      },
      { title: 'VAULT', value: ({ vault }) => vault, spare: 5 },
    ],
    chains,
    screen,
  );
}

function poolLines(
  pools: readonly Pool[],
  { stats }: Vault,
  nameOf: NameOfChain,
  screen: Screen,
): string[] {
  if (pools.length === 0) return [];
  const { style } = screen;
  const decimals = stats.baseAssetDecimals;
  return renderTable(
    [
      { title: 'POOL', value: ({ name }) => name, narrow: 16 },
      {
        title: 'PROTOCOL',
        value: ({ protocolName }) => protocolName || UNKNOWN,
        spare: 5,
        narrow: 10,
      },
      { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId), spare: 4 },
      { title: 'VALUE', value: ({ value }) => amountText(value, decimals), right: true },
      {
        title: 'SHARE',
        value: ({ allocationBps }) => percentText(allocationBps / 10_000),
        right: true,
      },
      {
        title: 'LIQUID',
        value: ({ availableLiquidity }) => amountText(availableLiquidity, decimals),
        right: true,
        spare: 6,
      },
      { title: 'APY 7D', value: ({ apy7d }) => percentText(apy7d), right: true, spare: 1 },
      // The API uses 0 for "not scored".
      {
        title: 'SCORE',
        value: ({ riskScore }) => (riskScore ? `${riskScore}` : UNKNOWN),
        right: true,
        spare: 2,
      },
      {
        title: 'STATUS',
        value: ({ status }) => status,
        spare: 3,
        paint: (text, { status }) => (status === 'active' ? text : style.yellow(text)),
      },
    ],
    pools,
    screen,
  );
}

function exposureLines(
  entries: readonly ExposureEntry[],
  nameOf: NameOfChain,
  screen: Screen,
): string[] {
  if (entries.length === 0) return [];
  return renderTable(
    [
      { title: 'ASSET', value: ({ symbol }) => symbol, narrow: 8 },
      { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId) },
      { title: 'USD', value: ({ exposureUsd }) => usdText(exposureUsd), right: true },
      { title: 'PART', value: ({ exposurePct }) => percentText(exposurePct / 100), right: true },
      { title: 'ADDRESS', value: ({ address }) => address, spare: 1 },
    ],
    entries,
    screen,
  );
}
