import { CLOSURE_WEIGHTS, type ClosureWeights } from '../grade/closure.ts';
import { LOSS_WEIGHTS, type LossWeights } from '../grade/lossWeights.ts';
import type { PublishedFactor } from './methodology.ts';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** In the order of the page. The text describes rows whose band is not a sentence by itself. */
const LOSS: readonly [keyof LossWeights, string][] = [
  ['kind', 'kind of protocol'],
  ['chains', 'number of chains, smooth in between'],
  ['rollup', 'runs on a rollup'],
  ['copy', 'fork of Compound or Aave'],
  ['yield', 'yield of its pools of 7 million USD or more, percent a year, smooth in between'],
  ['incident', 'an incident in its past'],
  ['upgrades', 'who can change it, after what delay (judgment)'],
];
const LOSS_WORDS: Words = {
  chains: { 8: '8 or more' },
  yield: { 0: 'none, or no pool listed', 5: '5', 10: '10 or more' },
  upgrades: {
    '7 days': '7 days or more',
    '48 hours': '48 hours or more',
    '24 hours': '24 hours or more',
  },
};

const CLOSURE: readonly [keyof ClosureWeights, string][] = [
  ['anchor', 'any protocol'],
  ['tvl', 'TVL in USD, smooth in between'],
  ['token', 'token of its own'],
  ['fork', 'fork of another protocol'],
];
const CLOSURE_WORDS: Words = {
  anchor: { any: 'before the factors' },
  tvl: {
    '1e3': '1 thousand or less',
    '1e4': '10 thousand',
    '1e5': '100 thousand',
    '1e6': '1 million',
    '1e7': '10 million',
    '1e8': '100 million',
    '1e9': '1 billion or more',
  },
  token: {
    unpriced: 'market value not known',
    'below 1 million': 'worth less than 1 million USD',
    'from 1 million': 'worth 1 million USD or more',
  },
};

export function protocolFactors(): PublishedFactor[] {
  return LOSS.map(([key, factor]) => published(key, factor, LOSS_WEIGHTS[key], LOSS_WORDS));
}

/** Factors of closure, which is reported and can cap a grade, but is not part of it. */
export function closureFactors(): PublishedFactor[] {
  return CLOSURE.map(([key, factor]) =>
    published(key, factor, CLOSURE_WEIGHTS[key], CLOSURE_WORDS),
  );
}

function published(
  key: string,
  factor: string,
  table: Readonly<Record<string, number>>,
  words: Words,
): PublishedFactor {
  return {
    of: 'Protocol',
    factor,
    kind: key === 'kind' || key === 'anchor' ? 'anchor' : 'multiplier',
    rows: Object.entries(table).map(([band, value]) => ({
      when: words[key]?.[band] ?? band,
      value,
    })),
  };
}
