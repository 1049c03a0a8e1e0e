import type { ProtocolFacts } from '../../domain/risk/graph.ts';
import { CLOSED_BY_SIZE, CLOSED_OF_ALL, CLOSURE_MONTHS } from './baseRates.ts';
import { atShares, bandOf, betweenKnots, type Share } from './format.ts';
import { type Floor, MIN_REPORTED_USD, NO_A, TOO_SMALL } from './ownHazard.ts';

/**
 * How likely a protocol is to be abandoned, or drained by its team at an unknown time. Unlike a loss, this is more
 * likely for small protocols, so it never improves a grade or adds hazard. If it is more likely than not, losses may go
 * unreported, and the grade is C at best.
 */
export interface ClosureWeights {
  /** Percent per year. */
  readonly anchor: Readonly<Record<'any', number>>;
  /** Knots in USD. Values in between are interpolated on a log scale. */
  readonly tvl: Readonly<Record<TvlBand, number>>;
  readonly token: Readonly<Record<TokenBand, number>>;
  readonly fork: Readonly<Record<'no' | 'yes', number>>;
}

export const TVL_KNOTS = ['1e3', '1e4', '1e5', '1e6', '1e7', '1e8', '1e9'] as const;
export type TvlBand = (typeof TVL_KNOTS)[number] | 'unknown';
export type TokenBand = 'none' | 'unpriced' | 'below 1 million' | 'from 1 million';

export interface ClosureBands {
  readonly tvl: readonly Share<TvlBand>[];
  readonly token: TokenBand;
  readonly fork: 'no' | 'yes';
}

export const CLOSURE_WEIGHTS: ClosureWeights = {
  anchor: { any: 10 },
  tvl: {
    '1e3': 2.35,
    '1e4': 2.6,
    '1e5': 2.15,
    '1e6': 1.25,
    '1e7': 0.55,
    '1e8': 0.3,
    '1e9': 0.38,
    unknown: 1.45,
  },
  token: { none: 0.95, unpriced: 1.45, 'below 1 million': 1.2, 'from 1 million': 0.6 },
  fork: { no: 1, yes: 1.6 },
};

/** Percent per year above which closure is more likely than not within the observed months. */
export const CLOSURE_FLOOR_FROM = (100 * Math.LN2 * 12) / CLOSURE_MONTHS;
export const LIKELY_TO_CLOSE: Floor = {
  grade: 'C',
  because: 'most protocols like it were abandoned within a few years, so losses may go unreported',
};

export function closureBands(facts: ProtocolFacts): ClosureBands {
  return {
    tvl:
      facts.tvlUsd === undefined
        ? [{ band: 'unknown', share: 1 }]
        : betweenKnots(TVL_KNOTS, Math.log10(Math.max(facts.tvlUsd, 1)) - 3),
    token: tokenBand(facts),
    fork: facts.forkOf !== undefined && facts.forkOf.length > 0 ? 'yes' : 'no',
  };
}

/** Percent per year. */
export function closureHazard(
  facts: ProtocolFacts,
  weights: ClosureWeights = CLOSURE_WEIGHTS,
): number {
  const bands = closureBands(facts);
  const times = weights.token[bands.token] * weights.fork[bands.fork];
  return weights.anchor.any * atShares(bands.tvl, weights.tvl) * times;
}

/** Returns the cap for a protocol that is too small, or too likely to close, for its losses to be reported. */
export function closureCaps(facts: ProtocolFacts, hazard = closureHazard(facts)): Floor[] {
  if (hazard > CLOSURE_FLOOR_FROM) return [LIKELY_TO_CLOSE];
  const isSmall = facts.tvlUsd !== undefined && facts.tvlUsd < MIN_REPORTED_USD;
  return [isSmall ? TOO_SMALL : NO_A];
}

/** Returns what happened to protocols of the same size, in counts. */
export function closureCounts(tvlUsd: number | undefined): string {
  const later = `${CLOSURE_MONTHS} months later`;
  if (tvlUsd === undefined)
    return `of ${CLOSED_OF_ALL.of} protocols of any size, ${CLOSED_OF_ALL.closed} were given up ${later}`;
  const { of, closed } = bandOf(CLOSED_BY_SIZE, tvlUsd);
  const given = closed === 0 ? 'none was' : `${closed} were`;
  return `of ${of} protocols of about that size, ${given} given up ${later}`;
}

/** A token without a price counts as `unpriced`, not as a token with value. */
export function tokenBand({ hasToken, marketCapUsd }: ProtocolFacts): TokenBand {
  if (marketCapUsd !== undefined && marketCapUsd > 0)
    return marketCapUsd < 1e6 ? 'below 1 million' : 'from 1 million';
  return hasToken === false ? 'none' : 'unpriced';
}
