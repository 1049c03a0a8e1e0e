import { getApySeries } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { percentText } from '../terminal/formatNumber.ts';
import { digitsOf } from '../terminal/scale.ts';
import { plain } from '../terminal/text.ts';
import { familyPage } from './read/pages.ts';
import { defineRead } from './read/readCommand.ts';
import { readSeries, SERIES_FLAGS, showSeries, signed } from './read/series.ts';

export const command = defineRead({
  usage: 'apy SLUG',
  details: 'Charts the 7-day APY, compounded, at each data point.',
  examples: ['apy svcusd', 'apy svcusd --from 2026-11-01 --interval hour --csv'],
  flags: SERIES_FLAGS,
  argument: 'SLUG',
  read: (flags, slug) => readSeries(flags, slug, 'apy svcusd'),
  family: ({ slug }) => slug,
  page: ({ slug, interval }) => familyPage(slug, { chart: 'apy', interval }),
  ask: (client, args) => getApySeries(client, args),
  json: (ticks) => ticks,
  csv: (ticks) =>
    renderCsv(
      [
        { name: 'at', value: ({ at }) => at },
        { name: 'apy', value: ({ value }) => value },
      ],
      ticks,
    ),
  show: (ticks, screen, { slug }) =>
    showSeries({
      title: `${plain(slug)}: 7-day APY`,
      points: ticks.map(({ at, value }) => ({ at: Date.parse(at), value })),
      label: (value, step) => `${(value * 100).toFixed(digitsOf(step * 100))}%`,
      first: percentText(ticks[0]?.value),
      last: percentText(ticks.at(-1)?.value),
      change: (first, last) => `(${signed((last - first) * 100)} points)`,
      screen,
    }),
});
