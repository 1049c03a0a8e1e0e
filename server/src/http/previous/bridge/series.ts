import { type Static, Type } from 'typebox';
import { List, Shape, Text, UnixTime } from '../../schemas.ts';
import { type apySeries, SERIES_LIMIT, type tvlSeries } from '../../vault/seriesSchema.ts';
import { defineBridge, type KnownPlace } from './bridge.ts';
import { formatted, numberText, percentText, secondsOf } from './values.ts';

const timestamp = UnixTime('The instant of the tick.');

const WORDS = `One tick a day, its last, oldest first, at most the newest ${SERIES_LIMIT.max}; of the family over all its networks, whichever was asked for.`;

function asked({ family }: KnownPlace) {
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
        yield: Text('Percent per year as text, over the 7 days before, with all digits.', '4.51'),
      },
      'The yield at one instant.',
    ),
    'Oldest first. An instant without a figure has no tick.',
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
        tvl: Text('In the base asset, as a decimal number, exact.', '1250340.5'),
        tvlUsd: Type.Optional(
          Text(
            'The same in US dollars at the price of that instant; absent when none was held.',
            '1250215.46',
          ),
        ),
      },
      'The total value locked at one instant.',
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
