import { getPerformance, type PerformanceFamily } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, usdText } from '../terminal/figures.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { defineRead, needed } from './read/readCommand.ts';
import { readWallet, WALLET_FLAGS } from './read/wallet.ts';

export const command = defineRead({
  usage: 'performance WALLET',
  details: 'In each family, at average cost over all its chains.',
  examples: ['performance 0x…', 'performance 0x… --family svcusd --csv'],
  flags: WALLET_FLAGS,
  argument: 'WALLET',
  read: (flags, wallet) => readWallet(flags, needed(wallet, 'wallet', 'performance 0x…')),
  family: ({ family }) => family,
  ask: (client, { walletAddress, family }) =>
    getPerformance(client, { walletAddress, ...(family !== undefined && { family }) }),
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
            title: 'UNREALISED',
            value: amount(({ unrealized }) => unrealized),
            right: true,
            paint: gain,
          },
          {
            title: 'REALISED',
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
      `worth ${bold(usdText(totals.currentValueUsd))} USD, unrealised ${gain(usdText(totals.unrealizedUsd))}, realised ${gain(usdText(totals.realizedUsd))}`,
      ...(unpriced.length === 0
        ? []
        : [dim(`left out, as there is no price: ${unpriced.join(', ')}`)]),
    ];
  },
});
