import { type Static, Type } from 'typebox';
import { List, Shape, Text, UnixTime } from '../../schemas.ts';
import { type apySeries, SERIES_LIMIT, type tvlSeries } from '../../vault/seriesSchema.ts';
import { defineBridge, type KnownDeployment } from './bridge.ts';
import { formatted, numberText, percentText, secondsOf } from './values.ts';

const timestamp = UnixTime('Time of the data point.');

const WORDS = `One data point per day, the last of the day, oldest first, at most the newest ${SERIES_LIMIT.max}; for the family over all its networks, regardless of the requested one.`;

function asked({ family }: KnownDeployment) {
  return { path: { slug: family.slug }, query: { limit: String(SERIES_LIMIT.max) } };
}

export const yieldBridge = defineBridge<Static<typeof apySeries>>({
  from: 'getApySeries',
  asked,
  words: WORDS,
  data: List(
    Shape(
      {
        timestamp,
        yield: Text('Percent per year as text, over the previous 7 days, with all digits.', '4.51'),
      },
      'The APY at one time.',
    ),
    'Oldest first. Times without a value are omitted.',
  ),
  example: [{ timestamp: 1_790_000_000, yield: '4.51' }],
  present: (ticks) =>
    ticks.map(({ at, value }) => ({ timestamp: secondsOf(at), yield: percentText(value) })),
});

export const tvlBridge = defineBridge<Static<typeof tvlSeries>>({
  from: 'getTvlSeries',
  asked,
  words: WORDS,
  data: List(
    Shape(
      {
        timestamp,
        tvl: Text('In the base asset, as an exact decimal number.', '1250340.5'),
        tvlUsd: Type.Optional(
          Text(
            'In US dollars at the price of that time; absent if no price was available.',
            '1250215.46',
          ),
        ),
      },
      'The total value locked at one time.',
    ),
    'Oldest first.',
  ),
  example: [{ timestamp: 1_790_000_000, tvl: '1250340.5', tvlUsd: '1250215.46' }],
  async present(ticks, { loadAssets }) {
    if (ticks.length === 0) return [];
    const { base } = await loadAssets();
    return ticks.map(({ at, value, usd }) => ({
      timestamp: secondsOf(at),
      tvl: formatted(value, base.decimals).formatted,
      ...(usd !== null && { tvlUsd: numberText(usd) }),
    }));
  },
});
