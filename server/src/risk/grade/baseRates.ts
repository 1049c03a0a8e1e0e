import type { AssetFacts } from '../../domain/risk/graph.ts';
import type { ProtocolKind } from './category.ts';

/**
 * What happened to protocols in the back-test: observed counts, not a probability of one node. A test fails if the
 * data, where available, no longer matches these counts.
 */
interface Lost {
  readonly of: number;
  readonly lost: number;
}

/** Protocols above 1 million USD in 2022-11, and those known to have lost at least 1% from 2022-12 to 2026-08. */
export const LOST_OF_ALL: Lost = { of: 363, lost: 37 };
export const LOST_BY_KIND: Readonly<
  Record<ProtocolKind, Readonly<Record<'all' | 'rollup', Lost>>>
> = {
  exchange: { all: { of: 137, lost: 8 }, rollup: { of: 15, lost: 4 } },
  lending: { all: { of: 58, lost: 15 }, rollup: { of: 11, lost: 6 } },
  derivatives: { all: { of: 28, lost: 4 }, rollup: { of: 13, lost: 3 } },
  yield: { all: { of: 66, lost: 5 }, rollup: { of: 13, lost: 4 } },
  staking: { all: { of: 21, lost: 0 }, rollup: { of: 0, lost: 0 } },
  bridge: { all: { of: 17, lost: 1 }, rollup: { of: 5, lost: 0 } },
  custodian: { all: { of: 7, lost: 2 }, rollup: { of: 2, lost: 1 } },
  'algorithmic money': { all: { of: 5, lost: 1 }, rollup: { of: 1, lost: 0 } },
  other: { all: { of: 24, lost: 1 }, rollup: { of: 3, lost: 0 } },
};

/** Stablecoins that held their peg in 2022-11, and those known to have lost it, temporarily or permanently. */
export const LOST_BY_BACKING: Readonly<
  Record<'fiat-backed' | 'crypto-backed' | 'algorithmic', Lost>
> = {
  'fiat-backed': { of: 7, lost: 0 },
  'crypto-backed': { of: 22, lost: 4 },
  algorithmic: { of: 8, lost: 3 },
};

/** From 2022-11 to the list of 2026-04. */
export const CLOSURE_MONTHS = 41;
export const CLOSED_OF_ALL = { of: 833, closed: 384 };
/** By TVL in USD, from the given amount up. */
export const CLOSED_BY_SIZE = [
  { from: 1e8, of: 34, closed: 0 },
  { from: 1e7, of: 121, closed: 16 },
  { from: 1e6, of: 205, closed: 61 },
  { from: 1e5, of: 212, closed: 118 },
  { from: 0, of: 261, closed: 189 },
] as const;

/** Smaller groups mean nothing. */
const ENOUGH = 10;
/** Losses of smaller protocols are seldom reported. */
const WATCHED_FROM = 1e6;

export interface Likeness {
  readonly kind: ProtocolKind | 'unknown';
  readonly onRollup: boolean;
  readonly tvlUsd: number | undefined;
}

/** Returns counts like "Of 58 protocols like this (lending) …", for the smallest similar group that is large enough. */
export function lostLikeThis({ kind, onRollup, tvlUsd }: Likeness): string {
  const same = kind === 'unknown' ? undefined : LOST_BY_KIND[kind];
  const groups: (readonly [Lost, string])[] = [];
  if (same !== undefined && onRollup) groups.push([same.rollup, ` (${kind}, on a rollup)`]);
  if (same !== undefined) groups.push([same.all, ` (${kind})`]);
  const [{ of, lost }, which] = groups.find(([group]) => group.of >= ENOUGH) ?? [LOST_OF_ALL, ''];
  const counted = `Of ${of} protocols${which === '' ? '' : ` like this${which}`} above 1 million USD, ${known(lost)} to have lost 1% or more in the 45 months from December 2022.`;
  if (tvlUsd !== undefined && tvlUsd >= WATCHED_FROM) return counted;
  return `${counted} Losses of smaller ones are seldom reported.`;
}

export function coinsLost(kind: AssetFacts['kind']): string {
  if (kind !== 'fiat-backed' && kind !== 'crypto-backed' && kind !== 'algorithmic')
    return 'Losses of assets of this kind were not counted.';
  const { of, lost } = LOST_BY_BACKING[kind];
  return `Of ${of} stablecoins like this (${kind}) that had their peg in November 2022, ${known(lost)} to have lost it by 2026, for a time or for good.`;
}

function known(lost: number): string {
  if (lost === 0) return 'none is known';
  return `${lost} ${lost === 1 ? 'is' : 'are'} known`;
}
