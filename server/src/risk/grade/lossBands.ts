import type { ProtocolFacts, Upgrades } from '../../domain/risk/graph.ts';
import { type ProtocolKind, protocolKind } from './category.ts';
import { atShares, betweenKnots, type Share } from './format.ts';
import {
  CHAIN_KNOTS,
  type ChainsBand,
  type LossWeights,
  type UpgradeBand,
  YIELD_KNOTS,
  type YieldBand,
} from './lossWeights.ts';

const HOUR = 3600;
/** Lending protocols whose code is copied most, and whose bugs were also found in the copies. */
const COPIED = /^(?:compound|aave)(?:$|-)/;

/** The row of a protocol in each factor's table; shares of two rows for interpolated factors. */
export interface LossBands {
  readonly kind: ProtocolKind | 'unknown';
  readonly chains: readonly Share<ChainsBand>[];
  readonly rollup: 'no' | 'yes' | 'unknown';
  readonly copy: 'no' | 'yes';
  readonly yield: readonly Share<YieldBand>[];
  readonly incident: 'none' | 'yes';
  readonly upgrades: UpgradeBand;
}

/** Facts about neighboring nodes that count in a protocol's own hazard. */
export interface Surroundings {
  /** Whether one of its chains is a rollup; undefined if unknown. */
  readonly onRollup?: boolean;
}

export function lossBands(facts: ProtocolFacts, { onRollup }: Surroundings): LossBands {
  return {
    kind: facts.category === undefined ? 'unknown' : protocolKind(facts.category),
    chains: chainBands(facts.chains?.length ?? 0),
    rollup: onRollup === undefined ? 'unknown' : onRollup ? 'yes' : 'no',
    copy: isCopy(facts) ? 'yes' : 'no',
    yield: betweenKnots(YIELD_KNOTS, (100 * (facts.poolsApy ?? 0)) / 5),
    incident: (facts.incidents?.length ?? 0) > 0 ? 'yes' : 'none',
    upgrades: upgradeBand(facts.upgrades),
  };
}

/** Multipliers of the factors; `kind` is the anchor itself. */
export function lossTimes(
  bands: LossBands,
  weights: LossWeights,
): Readonly<Record<keyof LossWeights, number>> {
  return {
    kind: weights.kind[bands.kind],
    chains: atShares(bands.chains, weights.chains),
    rollup: weights.rollup[bands.rollup],
    copy: weights.copy[bands.copy],
    yield: atShares(bands.yield, weights.yield),
    incident: weights.incident[bands.incident],
    upgrades: weights.upgrades[bands.upgrades],
  };
}

export function isCopy({ forkOf = [] }: ProtocolFacts): boolean {
  return forkOf.some((from) => COPIED.test(from.toLowerCase()));
}

function chainBands(count: number): LossBands['chains'] {
  if (count === 0) return [{ band: 'unknown', share: 1 }];
  return betweenKnots(CHAIN_KNOTS, Math.log2(count));
}

function upgradeBand(upgrades: Upgrades | undefined): UpgradeBand {
  if (upgrades === undefined) return 'unknown';
  if (upgrades.by === 'nobody') return 'nobody';
  if (upgrades.by !== 'timelock') return 'single key';
  if (upgrades.delaySeconds >= 7 * 24 * HOUR) return '7 days';
  if (upgrades.delaySeconds >= 48 * HOUR) return '48 hours';
  return upgrades.delaySeconds >= 24 * HOUR ? '24 hours' : 'shorter';
}
