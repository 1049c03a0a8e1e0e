import type { CategoryGroup } from './category.ts';

/**
 * What a protocol's hazard is made of: an anchor in percent per year by category, times one multiplier per factor.
 * Anchors and the factors tvl, token, fork, settlement, audit and oracle were fitted in the back-test (bench, risk
 * back-test) with a pull towards the start values, then rounded; age, upgrades and incident are judgement.
 * Judgement also holds bridges, uncollateralised lending, algorithmic stablecoins, reserve currencies and the rows for
 * unknown above the fit: the outcomes of the back-test see closures, and these lose money by collapse.
 */
export interface ProtocolWeights {
  readonly category: Readonly<Record<CategoryGroup | 'unknown', number>>;
  /** At these amounts of USD; in between the logarithms are joined by straight lines. */
  readonly tvl: Readonly<Record<TvlBand, number>>;
  readonly token: Readonly<Record<TokenBand, number>>;
  readonly fork: Readonly<Record<'no' | 'yes', number>>;
  readonly settlement: Readonly<Record<'yes' | 'no' | 'unknown', number>>;
  readonly audit: Readonly<Record<AuditBand, number>>;
  readonly oracle: Readonly<Record<'major' | 'other', number>>;
  readonly age: Readonly<Record<AgeBand, number>>;
  readonly upgrades: Readonly<Record<UpgradeBand, number>>;
  readonly incident: Readonly<Record<IncidentBand, number>>;
}

export const TVL_KNOTS = ['1e3', '1e4', '1e5', '1e6', '1e7', '1e8', '1e9'] as const;
export type TvlBand = (typeof TVL_KNOTS)[number] | 'unknown';
export type TokenBand = 'none' | 'unpriced' | 'below 1 million' | 'from 1 million';
export type AuditBand =
  | 'three'
  | 'two'
  | 'one'
  | 'claimed'
  | 'partial'
  | 'none'
  | 'unaudited'
  | 'unknown';
export type AgeBand = 'below 6' | 'below 18' | 'below 36' | 'below 60' | 'from 60' | 'unknown';
export type UpgradeBand =
  | 'nobody'
  | '7 days'
  | '48 hours'
  | '24 hours'
  | 'shorter'
  | 'single key'
  | 'unknown';
export type IncidentBand = 'none' | 'below 1' | 'below 3' | 'older';

export const PROTOCOL_WEIGHTS: ProtocolWeights = {
  category: {
    'concentrated or stable-swap exchange': 0.4,
    'liquid staking': 0.35,
    'decentralised exchange': 0.6,
    'collateralised debt': 0.35,
    lending: 0.75,
    'real-world assets': 0.5,
    yield: 0.75,
    've(3,3) exchange': 0.8,
    restaking: 0.6,
    derivatives: 0.6,
    aggregator: 0.95,
    bridge: 0.8,
    synthetics: 0.7,
    'basis trading': 0.7,
    'farm or leveraged farm': 0.8,
    'uncollateralised lending': 1.2,
    'algorithmic stablecoin': 2,
    'reserve currency': 2,
    custodian: 0.7,
    other: 0.65,
    unknown: 1,
  },
  tvl: {
    '1e3': 6,
    '1e4': 5.8,
    '1e5': 4.7,
    '1e6': 2.1,
    '1e7': 1,
    '1e8': 0.5,
    '1e9': 0.35,
    unknown: 3,
  },
  token: { none: 1, unpriced: 1.55, 'below 1 million': 1.35, 'from 1 million': 0.75 },
  fork: { no: 1, yes: 1.8 },
  settlement: { yes: 0.85, no: 1, unknown: 1 },
  audit: {
    three: 0.8,
    two: 0.85,
    one: 0.9,
    claimed: 1,
    partial: 1.1,
    none: 1.1,
    unaudited: 2,
    unknown: 1.2,
  },
  oracle: { major: 1, other: 1.2 },
  age: {
    'below 6': 1.1,
    'below 18': 1.1,
    'below 36': 1,
    'below 60': 0.95,
    'from 60': 0.9,
    unknown: 1.1,
  },
  upgrades: {
    nobody: 0.7,
    '7 days': 0.8,
    '48 hours': 1,
    '24 hours': 1.2,
    shorter: 1.6,
    'single key': 4,
    unknown: 1.2,
  },
  incident: { none: 1, 'below 1': 4, 'below 3': 2, older: 1.3 },
};
