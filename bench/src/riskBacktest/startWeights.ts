/**
 * The weights that the method started from, before any fit. The fit is pulled towards these, with category anchors and
 * audits flattened: as they stood they ranked protocols worse than TVL alone.
 */
export const START = {
  category: {
    'concentrated or stable-swap exchange': 0.3,
    'liquid staking': 0.3,
    'decentralised exchange': 0.5,
    'collateralised debt': 0.5,
    lending: 0.7,
    'real-world assets': 0.8,
    yield: 1,
    've(3,3) exchange': 1,
    restaking: 1,
    derivatives: 1.2,
    aggregator: 1.5,
    bridge: 1.5,
    synthetics: 1.5,
    'basis trading': 1.5,
    'farm or leveraged farm': 2,
    'uncollateralised lending': 3,
    'algorithmic stablecoin': 8,
    'reserve currency': 10,
    custodian: 1.5,
    other: 1.5,
    unknown: 1.5,
  },
  tvl: { '1e3': 6, '1e4': 5, '1e5': 4, '1e6': 2, '1e7': 1, '1e8': 0.6, '1e9': 0.4, unknown: 1.5 },
  token: { none: 1, unpriced: 1, 'below 1 million': 1, 'from 1 million': 1 },
  fork: { no: 1, yes: 1.5 },
  settlement: { yes: 1, no: 1, unknown: 1 },
  audit: {
    three: 0.7,
    two: 0.8,
    one: 1,
    claimed: 1.3,
    partial: 1.5,
    none: 2,
    unaudited: 4,
    unknown: 2,
  },
  oracle: { major: 1, other: 1.3 },
  age: {
    'below 6': 2,
    'below 18': 1.5,
    'below 36': 1.1,
    'below 60': 0.9,
    'from 60': 0.8,
    unknown: 1.5,
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
} as const;

/** The power that a start value is raised to before the fit is pulled towards it: 1 as it is, 0 no opinion. */
export const TRUST: Readonly<Record<string, number>> = { category: 0.4, audit: 0.3 };
