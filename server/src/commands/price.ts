import { getSharePriceSeries, type SharePriceTick } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, asNumber, exactAmount, grouped } from '../terminal/formatNumber.ts';
import { digitsOf } from '../terminal/scale.ts';
import { plain } from '../terminal/text.ts';
import { type AmountSeries, withBaseAsset } from './read/baseAsset.ts';
import { familyPage } from './read/pages.ts';
import { defineRead } from './read/readCommand.ts';
import { readSeries, SERIES_FLAGS, type SeriesArguments, showSeries } from './read/series.ts';

export const command = defineRead<SeriesArguments, AmountSeries<SharePriceTick>>({
  usage: 'price SLUG',
  details: 'Charts the price of one share in the base asset.',
  examples: ['price svcusd', 'price svceth --interval hour --from 2026-11-10'],
  flags: SERIES_FLAGS,
  argument: 'SLUG',
  read: (flags, slug) => readSeries(flags, slug, 'price svcusd'),
  family: ({ slug }) => slug,
  page: ({ slug, interval }) => familyPage(slug, { chart: 'price', interval }),
  ask: (client, args) => withBaseAsset(client, args.slug, getSharePriceSeries(client, args)),
  json: ({ ticks }) => ticks,
  csv: ({ ticks, asset: { decimals } }) =>
    renderCsv(
      [
        { name: 'at', value: ({ at }) => at },
        { name: 'sharePrice', value: ({ value }) => exactAmount(value, decimals) },
      ],
      ticks,
    ),
  show({ ticks, asset: { symbol, decimals } }, screen, { slug }) {
    const unit = plain(symbol);
    return showSeries({
      title: `${plain(slug)}: share price in ${unit}`,
      points: ticks.map(({ at, value }) => ({
        at: Date.parse(at),
        value: asNumber(value, decimals),
      })),
      label: (value, step) => grouped(value.toFixed(digitsOf(step))),
      first: `${amountText(ticks[0]?.value, decimals)} ${unit}`,
      last: `${amountText(ticks.at(-1)?.value, decimals)} ${unit}`,
      screen,
    });
  },
});
