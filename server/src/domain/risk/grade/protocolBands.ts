import type { Audits, ProtocolFacts, Upgrades } from '../graph.ts';
import { type CategoryGroup, categoryGroup, NEEDS_ORACLE } from './category.ts';
import {
  type AgeBand,
  type AuditBand,
  type IncidentBand,
  type ProtocolWeights,
  type TokenBand,
  TVL_KNOTS,
  type TvlBand,
  type UpgradeBand,
} from './protocolWeights.ts';
import { months } from './words.ts';

const YEAR = 31_556_952;
const HOUR = 3600;
const MAJOR_ORACLES = new Set([
  'chainlink',
  'pyth',
  'redstone',
  'redstone-oracles',
  'chronicle',
  'api3',
]);
const SETTLEMENT_CHAINS = new Set(['ethereum', 'bitcoin']);

/** Which row of each factor's table a protocol is in; a share between two rows where the factor is smooth. */
export interface ProtocolBands {
  readonly category: CategoryGroup | 'unknown';
  readonly tvl: readonly { readonly band: TvlBand; readonly share: number }[];
  readonly token: TokenBand;
  readonly fork: 'no' | 'yes';
  readonly settlement: 'yes' | 'no' | 'unknown';
  readonly audit: AuditBand;
  /** Undefined where a price feed does not matter. */
  readonly oracle?: 'major' | 'other';
  readonly age: AgeBand;
  readonly upgrades: UpgradeBand;
  readonly incidents: readonly { readonly band: IncidentBand; readonly repaid: boolean }[];
}

export function protocolBands(facts: ProtocolFacts, now: number): ProtocolBands {
  const category = facts.category === undefined ? 'unknown' : categoryGroup(facts.category);
  return {
    category,
    tvl: tvlBands(facts.tvlUsd),
    token: tokenBand(facts),
    fork: facts.forkOf !== undefined && facts.forkOf.length > 0 ? 'yes' : 'no',
    settlement: settlementBand(facts.chains),
    audit: facts.audits === undefined ? 'unknown' : auditBand(facts.audits),
    ...(category !== 'unknown' && NEEDS_ORACLE.has(category) && { oracle: oracleBand(facts) }),
    age: ageBand(facts.listedAt, now),
    upgrades: upgradeBand(facts.upgrades),
    incidents: (facts.incidents ?? []).map(({ at, repaid }) => ({
      band: incidentBand(now - at),
      repaid: repaid === true,
    })),
  };
}

/** What each factor multiplies the hazard with; `category` is the anchor itself. */
export function protocolTimes(
  bands: ProtocolBands,
  weights: ProtocolWeights,
): Readonly<Record<keyof ProtocolWeights, number>> {
  const log = bands.tvl.reduce(
    (sum, { band, share }) => sum + share * Math.log(weights.tvl[band]),
    0,
  );
  // The heaviest alone: a second wound does not make the first one deeper.
  const incidents = bands.incidents.map(({ band, repaid }) => {
    const full = weights.incident[band];
    return repaid ? 1 + (full - 1) / 2 : full;
  });
  return {
    category: weights.category[bands.category],
    tvl: Math.exp(log),
    token: weights.token[bands.token],
    fork: weights.fork[bands.fork],
    settlement: weights.settlement[bands.settlement],
    audit: weights.audit[bands.audit],
    oracle: bands.oracle === undefined ? 1 : weights.oracle[bands.oracle],
    age: weights.age[bands.age],
    upgrades: weights.upgrades[bands.upgrades],
    incident: Math.max(weights.incident.none, ...incidents),
  };
}

function tvlBands(tvlUsd: number | undefined): ProtocolBands['tvl'] {
  if (tvlUsd === undefined) return [{ band: 'unknown', share: 1 }];
  const last = TVL_KNOTS.length - 1;
  const place = Math.min(last, Math.max(0, Math.log10(Math.max(tvlUsd, 1)) - 3));
  const below = Math.min(last - 1, Math.floor(place));
  const share = place - below;
  return [
    { band: TVL_KNOTS[below]!, share: 1 - share },
    { band: TVL_KNOTS[below + 1]!, share },
  ];
}

/** A token that nobody prices is not a token worth something. */
function tokenBand({ hasToken, marketCapUsd }: ProtocolFacts): TokenBand {
  if (marketCapUsd !== undefined && marketCapUsd > 0)
    return marketCapUsd < 1e6 ? 'below 1 million' : 'from 1 million';
  return hasToken === false ? 'none' : 'unpriced';
}

function settlementBand(chains: readonly string[] | undefined): ProtocolBands['settlement'] {
  if (chains === undefined || chains.length === 0) return 'unknown';
  return chains.some((chain) => SETTLEMENT_CHAINS.has(chain.toLowerCase())) ? 'yes' : 'no';
}

function auditBand(audits: Audits): AuditBand {
  if (audits.status === 'reports')
    return audits.reports >= 3 ? 'three' : audits.reports === 2 ? 'two' : 'one';
  return audits.status === 'none-recorded' ? 'none' : audits.status;
}

function oracleBand({ oracles }: ProtocolFacts): 'major' | 'other' {
  return oracles?.some((oracle) => MAJOR_ORACLES.has(oracle.toLowerCase())) ? 'major' : 'other';
}

function ageBand(listedAt: number | undefined, now: number): AgeBand {
  if (listedAt === undefined) return 'unknown';
  const age = months(now - listedAt);
  if (age < 6) return 'below 6';
  if (age < 18) return 'below 18';
  if (age < 36) return 'below 36';
  return age < 60 ? 'below 60' : 'from 60';
}

function upgradeBand(upgrades: Upgrades | undefined): UpgradeBand {
  if (upgrades === undefined) return 'unknown';
  if (upgrades.by === 'nobody') return 'nobody';
  if (upgrades.by !== 'timelock') return 'single key';
  if (upgrades.delaySeconds >= 7 * 24 * HOUR) return '7 days';
  if (upgrades.delaySeconds >= 48 * HOUR) return '48 hours';
  return upgrades.delaySeconds >= 24 * HOUR ? '24 hours' : 'shorter';
}

function incidentBand(seconds: number): IncidentBand {
  if (seconds < YEAR) return 'below 1';
  return seconds < 3 * YEAR ? 'below 3' : 'older';
}
