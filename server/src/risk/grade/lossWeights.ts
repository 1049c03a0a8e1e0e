import type { ProtocolKind } from './category.ts';

/**
 * A protocol's hazard of a loss: an anchor in percent per year by kind, times one multiplier per factor. Fitted to
 * losses of at least 1% of protocols above 1 million USD (bench, risk back-test), each multiplier regularized toward 1,
 * then rounded. Unknown facts, and kind `other`, count as the average of those protocols. Only `upgrades` is a
 * judgment: no public list says who can change a protocol.
 * Left out, because they did not separate losses: size, audits, age, price source, token, and other forks.
 */
export interface LossWeights {
  readonly kind: Readonly<Record<ProtocolKind | 'unknown', number>>;
  /** Knots in numbers of chains. Values in between are interpolated on a log scale. */
  readonly chains: Readonly<Record<ChainsBand, number>>;
  readonly rollup: Readonly<Record<'no' | 'yes' | 'unknown', number>>;
  readonly copy: Readonly<Record<'no' | 'yes', number>>;
  /** Knots in percent a year. Values in between are interpolated on a log scale. */
  readonly yield: Readonly<Record<YieldBand, number>>;
  readonly incident: Readonly<Record<'none' | 'yes', number>>;
  readonly upgrades: Readonly<Record<UpgradeBand, number>>;
}

export const YIELD_KNOTS = ['0', '5', '10'] as const;
export type YieldBand = (typeof YIELD_KNOTS)[number];
export const CHAIN_KNOTS = ['1', '2', '4', '8'] as const;
export type ChainsBand = (typeof CHAIN_KNOTS)[number] | 'unknown';
export type UpgradeBand =
  | 'nobody'
  | '7 days'
  | '48 hours'
  | '24 hours'
  | 'shorter'
  | 'single key'
  | 'unknown';

export const LOSS_WEIGHTS: LossWeights = {
  kind: {
    exchange: 1.3,
    lending: 3.15,
    derivatives: 1.7,
    yield: 1.35,
    staking: 1.2,
    bridge: 1.25,
    custodian: 2.05,
    'algorithmic money': 1.85,
    other: 1.65,
    unknown: 1.65,
  },
  chains: { 1: 1, 2: 1.3, 4: 1.7, 8: 2.2, unknown: 1.2 },
  rollup: { no: 1, yes: 2.2, unknown: 1.2 },
  copy: { no: 1, yes: 1.85 },
  yield: { 0: 1, 5: 1.55, 10: 2.4 },
  incident: { none: 1, yes: 1.25 },
  upgrades: {
    nobody: 0.7,
    '7 days': 0.8,
    '48 hours': 0.9,
    '24 hours': 1,
    shorter: 1.2,
    'single key': 2,
    unknown: 1,
  },
};
