import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { Amount, AskedWhole, DateTime, List, Nullable, Rate, Shape, Usd } from '../schemas.ts';

const at = DateTime('Time of the data point.');

export const apySeries = List(
  Shape(
    { at, value: Rate('Compounded, from the share price over the previous 7 days.') },
    'The APY at one time.',
  ),
  'APY data points, oldest first.',
);

export const tvlSeries = List(
  Shape(
    {
      at,
      value: Amount("Total value locked over all chains, in the family's base asset."),
      usd: Nullable(
        Usd('The same value at the price of that time.'),
        'The same value in US dollars, at the price of that time; null if no price was available then.',
      ),
    },
    'The value at one time.',
  ),
  'TVL data points, oldest first.',
);

export const sharePriceSeries = List(
  Shape(
    {
      at,
      value: Amount(
        'Value of one share (10^shareDecimals) on the first settlement chain, in the base asset.',
      ),
    },
    'The price at one time.',
  ),
  'Share price data points, oldest first.',
);

export const splitSeries = List(
  Shape(
    {
      at,
      idle: Amount('Base asset held by the vaults themselves.'),
      invested: Amount('Invested value.'),
      pendingExits: Amount("Assets leaving through a venue's own exit queue."),
      pendingRedemptionAssets: Amount('Assets owed to queued redemptions.'),
    },
    'The split of the value at one time.',
  ),
  'Data points with the split of the value, oldest first.',
);

export const apyExample = [
  { at: '2026-01-30T23:55:00.000Z', value: 0.0448 },
  { at: '2026-01-31T23:55:00.000Z', value: 0.0451 },
];
export const tvlExample = [
  { at: '2026-01-30T23:55:00.000Z', value: '1250000000000', usd: 1_249_875.12 },
  { at: '2026-01-31T23:55:00.000Z', value: '1250340000000', usd: null },
];
export const sharePriceExample = [
  { at: '2026-01-30T23:55:00.000Z', value: '1045210' },
  { at: '2026-01-31T23:55:00.000Z', value: '1045338' },
];

export const splitExample = [
  {
    at: '2026-01-31T23:55:00.000Z',
    idle: '50340000000',
    invested: '1200000000000',
    pendingExits: '0',
    pendingRedemptionAssets: '12000000000',
  },
];

export const INTERVALS = ['raw', 'hour', 'day'] as const;
export const SERIES_LIMIT = { min: 1, max: 5000, default: 1000 } as const;
/** The usual number is smaller: each of its ticks contains the rows of all pools. */
export const ALLOCATION_LIMIT = { ...SERIES_LIMIT, default: 366 } as const;

const FORMATS =
  'A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999.';

export const seriesParametersOf = (
  limit: Readonly<Record<'min' | 'max' | 'default', number>>,
): readonly RouteParameter[] => [
  SLUG,
  optional(
    'from',
    Type.String(),
    `Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. ${FORMATS}`,
    '2026-01-01',
  ),
  optional(
    'to',
    Type.String(),
    `End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. ${FORMATS}`,
    '2026-01-31T12:00:00+02:00',
  ),
  optional(
    'interval',
    Type.Enum([...INTERVALS], { default: 'day' }),
    'raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time.',
    'day',
  ),
  optional(
    'limit',
    AskedWhole(limit),
    'Maximum number of data points. If the range has more, the newest are returned, still oldest first.',
    `${limit.default}`,
  ),
];
