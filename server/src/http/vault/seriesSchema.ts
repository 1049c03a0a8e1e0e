import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { Amount, AskedWhole, DateTime, List, Nullable, Rate, Shape, Usd } from '../schemas.ts';

const at = DateTime('The instant of the tick.');

export const apySeries = List(
  Shape(
    { at, value: Rate('Compound, from the share price over the 7 days before the instant.') },
    'The rate at one instant.',
  ),
  'APY ticks, oldest first.',
);

export const tvlSeries = List(
  Shape(
    {
      at,
      value: Amount("Total value locked over all chains, of the family's base asset."),
      usd: Nullable(
        Usd('The same value at the price of that instant.'),
        'The same value in US dollars, at the price of that instant; null when no price was held then.',
      ),
    },
    'The value at one instant.',
  ),
  'TVL ticks, oldest first.',
);

export const sharePriceSeries = List(
  Shape(
    {
      at,
      value: Amount(
        'What one whole share (10^shareDecimals) was worth on the first settlement chain, of the base asset.',
      ),
    },
    'The price at one instant.',
  ),
  'Share-price ticks, oldest first.',
);

export const splitSeries = List(
  Shape(
    {
      at,
      idle: Amount('Base asset held by the vaults themselves.'),
      invested: Amount('Value at work.'),
      pendingExits: Amount("Assets leaving through a venue's own exit queue."),
      pendingRedemptionAssets: Amount('Assets owed to queued redemptions.'),
    },
    'The parts of the value at one instant.',
  ),
  'Ticks with the parts of the value, oldest first.',
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
/** Each of its ticks is made of the rows of all pools. */
export const ALLOCATION_LIMIT = { min: 1, max: 1000, default: 366 } as const;

const FORMATS =
  'A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999.';

export const seriesParametersOf = (
  limit: Readonly<Record<'min' | 'max' | 'default', number>>,
): readonly RouteParameter[] => [
  SLUG,
  optional(
    'from',
    Type.String(),
    `Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. ${FORMATS}`,
    '2026-01-01',
  ),
  optional(
    'to',
    Type.String(),
    `End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. ${FORMATS}`,
    '2026-01-31T12:00:00+02:00',
  ),
  optional(
    'interval',
    Type.Enum([...INTERVALS], { default: 'day' }),
    "raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant.",
    'day',
  ),
  optional(
    'limit',
    AskedWhole(limit),
    'The most ticks to return. When the range holds more, the newest are returned, still oldest first.',
    `${limit.default}`,
  ),
];
