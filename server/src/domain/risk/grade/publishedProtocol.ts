import type { PublishedFactor } from './methodology.ts';
import { PROTOCOL_WEIGHTS, type ProtocolWeights } from './protocolWeights.ts';

/** In the order of the page; `WORDS` gives rows whose band is not a sentence by itself. */
const FACTORS: readonly [keyof ProtocolWeights, string][] = [
  ['category', 'category'],
  ['tvl', 'TVL in USD, smooth in between'],
  ['token', 'token of its own'],
  ['fork', 'fork of another protocol'],
  ['settlement', 'runs on Ethereum or Bitcoin'],
  ['audit', 'audits'],
  ['oracle', 'price source, for lending, collateralised debt, derivatives and synthetics'],
  ['age', 'months since it was listed'],
  ['upgrades', 'who can change it, after what delay'],
  [
    'incident',
    'years since an incident; half of the excess when repaid in full; the heaviest counts',
  ],
];

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  audit: {
    three: 'three reports or more',
    two: 'two reports',
    one: 'one report',
    claimed: 'claimed without a report',
    partial: 'in part',
    none: 'none recorded',
    unaudited: 'known to be unaudited',
  },
  oracle: { major: 'a major network', other: 'other or not known' },
  upgrades: {
    '7 days': '7 days or more',
    '48 hours': '48 hours or more',
    '24 hours': '24 hours or more',
  },
};

export function protocolFactors(): PublishedFactor[] {
  return FACTORS.map(([key, factor]) => ({
    of: 'Protocol',
    factor,
    kind: key === 'category' ? 'anchor' : 'multiplier',
    rows: Object.entries(PROTOCOL_WEIGHTS[key]).map(([band, value]) => ({
      when: WORDS[key]?.[band] ?? band,
      value,
    })),
  }));
}
