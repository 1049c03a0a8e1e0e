import { getPerformance, type PerformanceFamily } from '@assay/client';
import { readChoice } from '../cli/flags.ts';
import { COST_METHODS } from '../domain/wallet/accounting/costMethod.ts';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, usdText } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { AT_FLAG, readAt } from './read/at.ts';
import { walletPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';
import { METHOD_FLAG, readWallet, WALLET_FLAGS } from './read/wallet.ts';

export const command = defineRead({
  usage: 'performance WALLET',
  details: 'Uses average cost per family, over all its chains, or another cost method.',
  examples: ['performance 0x…', 'performance 0x… --family svcusd --method fifo --csv'],
  flags: { ...WALLET_FLAGS, ...METHOD_FLAG, ...AT_FLAG },
  argument: 'WALLET',
  read: (flags, wallet) => ({
    ...readWallet(flags, needed(wallet, 'wallet', 'performance 0x…')),
    method: readChoice(flags, 'method', COST_METHODS),
    asOf: readAt(flags),
  }),
  family: ({ family }) => family,
  page: ({ walletAddress, family }) => walletPage(walletAddress, { family }),
  ask: (client, { walletAddress, family, method, asOf }) =>
    getPerformance(client, {
      walletAddress,
      ...(family !== undefined && { family }),
      ...(method !== undefined && { method }),
      ...asOf,
    }),
  json: (performance) => performance,
  csv: ({ families }) =>
    renderCsv<PerformanceFamily>(
      [
        { name: 'family', value: ({ family }) => family },
        { name: 'asset', value: ({ baseAssetSymbol }) => baseAssetSymbol },
        { name: 'shares', value: (row) => exactAmount(row.sharesBalance, row.shareDecimals) },
        { name: 'cost', value: (row) => exactAmount(row.costBasis, row.baseAssetDecimals) },
        { name: 'value', value: (row) => exactAmount(row.currentValue, row.baseAssetDecimals) },
        { name: 'unrealized', value: (row) => exactAmount(row.unrealized, row.baseAssetDecimals) },
        { name: 'realized', value: (row) => exactAmount(row.realized, row.baseAssetDecimals) },
        { name: 'valueUsd', value: ({ usd }) => usd?.currentValueUsd },
        { name: 'unrealizedUsd', value: ({ usd }) => usd?.unrealizedUsd },
        { name: 'realizedUsd', value: ({ usd }) => usd?.realizedUsd },
        { name: 'pricedAt', value: ({ pricedAt }) => pricedAt },
      ],
      families,
    ),
  show({ wallet, families, totals }, screen) {
    const { bold, dim, green, red } = screen.style;
    if (families.length === 0) return [`${plain(wallet)} never held shares of these families`];
    const amount = (units: (row: PerformanceFamily) => string | null) => (row: PerformanceFamily) =>
      amountText(units(row), row.baseAssetDecimals);
    const gain = (text: string) =>
      text.startsWith('-') ? red(text) : /[1-9]/.test(text) ? green(text) : text;
    const unpriced = totals.unpricedFamilies.map(plain);
    return [
      bold(plain(wallet)),
      ...renderTable<PerformanceFamily>(
        [
          { title: 'FAMILY', value: ({ family }) => family, narrow: 8 },
          { title: 'ASSET', value: ({ baseAssetSymbol }) => baseAssetSymbol, narrow: 6 },
          {
            title: 'SHARES',
            value: (row) => amountText(row.sharesBalance, row.shareDecimals),
            right: true,
            spare: 3,
          },
          { title: 'COST', value: amount(({ costBasis }) => costBasis), right: true, spare: 2 },
          { title: 'VALUE', value: amount(({ currentValue }) => currentValue), right: true },
          {
            title: 'UNREALIZED',
            value: amount(({ unrealized }) => unrealized),
            right: true,
            paint: gain,
          },
          {
            title: 'REALIZED',
            value: amount(({ realized }) => realized),
            right: true,
            paint: gain,
          },
          {
            title: 'USD',
            value: ({ usd }) => usdText(usd?.currentValueUsd),
            right: true,
            spare: 1,
          },
        ],
        families,
        screen,
      ),
      '',
      `worth ${bold(usdText(totals.currentValueUsd))} USD, unrealized ${gain(usdText(totals.unrealizedUsd))}, realized ${gain(usdText(totals.realizedUsd))}`,
      ...(unpriced.length === 0
        ? []
        : [dim(`not included, because no price is available: ${unpriced.join(', ')}`)]),
    ];
  },
});
