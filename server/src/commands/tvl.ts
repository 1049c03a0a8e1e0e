import { getTvlSeries, type TvlTick } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import {
  amountText,
  asNumber,
  exactAmount,
  shortNumber,
  usdText,
} from '../terminal/formatNumber.ts';
import { plain } from '../terminal/text.ts';
import { type AmountSeries, withBaseAsset } from './read/baseAsset.ts';
import { familyPage } from './read/pages.ts';
import { defineRead } from './read/readCommand.ts';
import { readSeries, SERIES_FLAGS, type SeriesArguments, showSeries } from './read/series.ts';

export const command = defineRead<
  SeriesArguments & { readonly usd: boolean },
  AmountSeries<TvlTick>
>({
  usage: 'tvl SLUG',
  details: 'Charts the total value locked over all chains.',
  examples: ['tvl svcusd', 'tvl svceth --usd --from 2026-11-01'],
  flags: { ...SERIES_FLAGS, usd: { text: 'In USD instead of the base asset' } },
  argument: 'SLUG',
  read: (flags, slug) => ({ ...readSeries(flags, slug, 'tvl svcusd'), usd: flags.has('usd') }),
  family: ({ slug }) => slug,
  page: ({ slug, interval, usd }) =>
    familyPage(slug, { chart: 'tvl', interval, unit: usd ? 'usd' : undefined }),
  ask: (client, args) => withBaseAsset(client, args.slug, getTvlSeries(client, args)),
  json: ({ ticks }) => ticks,
  csv: ({ ticks, asset: { decimals } }) =>
    renderCsv(
      [
        { name: 'at', value: ({ at }) => at },
        { name: 'tvl', value: ({ value }) => exactAmount(value, decimals) },
        { name: 'usd', value: ({ usd }) => usd },
      ],
      ticks,
    ),
  show({ ticks, asset }, screen, { slug, usd }) {
    const known = usd ? ticks.filter((tick) => tick.usd !== null) : ticks;
    const unit = usd ? 'USD' : plain(asset.symbol);
    const text = (tick: TvlTick | undefined) => {
      if (tick === undefined) return '';
      return `${usd ? usdText(tick.usd) : amountText(tick.value, asset.decimals)} ${unit}`;
    };
    return showSeries({
      title: `${plain(slug)}: TVL in ${unit}`,
      points: known.map((tick) => ({
        at: Date.parse(tick.at),
        value: usd ? tick.usd! : asNumber(tick.value, asset.decimals),
      })),
      label: shortNumber,
      first: text(known[0]),
      last: text(known.at(-1)),
      screen,
    });
  },
});
