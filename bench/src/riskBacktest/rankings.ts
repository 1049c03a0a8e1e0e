import type { Case } from './cases.ts';
import { bootstrap, createAuc, pick } from './measure.ts';
import { closed, isWatched, lost } from './outcomes.ts';

/** Rounded as published. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Ranking {
  readonly group: string;
  readonly protocols: number;
  readonly happened: number;
  readonly sizeAlone: number;
  readonly crossFitted: Estimate;
  readonly gain: Estimate;
}

/** A score for each case, and the cases to include. */
interface Group {
  readonly name: string;
  readonly within: (one: Case) => boolean;
  readonly happened: (one: Case) => boolean;
}

const above =
  (from: number, to = Number.POSITIVE_INFINITY) =>
  (one: Case) =>
    one.tvlUsd > from && one.tvlUsd <= to;

const LOSS_GROUPS: readonly Group[] = [
  {
    name: 'loss of at least 1%, above 1 million USD',
    within: isWatched,
    happened: (one) => lost(one),
  },
  {
    name: 'the same, only incidents of high confidence',
    within: isWatched,
    happened: (one) => lost(one, 0.01, true),
  },
  {
    name: 'loss of any share, above 1 million',
    within: isWatched,
    happened: (one) => lost(one, 0),
  },
  {
    name: 'loss of at least 10%, above 1 million',
    within: isWatched,
    happened: (one) => lost(one, 0.1),
  },
  { name: 'at least 1%, up to 1 million', within: above(0, 1e6), happened: (one) => lost(one) },
  { name: 'at least 1%, 1 to 10 million', within: above(1e6, 1e7), happened: (one) => lost(one) },
  {
    name: 'at least 1%, 10 to 100 million',
    within: above(1e7, 1e8),
    happened: (one) => lost(one),
  },
  { name: 'at least 1%, above 100 million', within: above(1e8), happened: (one) => lost(one) },
  { name: 'at least 1%, all sizes', within: () => true, happened: (one) => lost(one) },
];

export function lossRankings(cases: readonly Case[], scores: readonly number[]): Ranking[] {
  return LOSS_GROUPS.map((group) => rank(cases, scores, group));
}

export function closureRanking(cases: readonly Case[], scores: readonly number[]): Ranking {
  return rank(cases, scores, {
    name: 'closed by 2026-04',
    within: ({ outcome }) => outcome?.closed !== undefined,
    happened: closed,
  });
}

/** Uses size in the direction that ranks better, for all cases and for every sample. */
export function rank(cases: readonly Case[], all: readonly number[], group: Group): Ranking {
  const places = cases.flatMap((one, place) => (group.within(one) ? [place] : []));
  const happened = places.map((place) => group.happened(cases[place]!));
  const scores = pick(all, places);
  const sizes = places.map((place) => cases[place]!.tvlUsd);
  const own = createAuc(scores, happened);
  const bySize = createAuc(sizes, happened);
  const size = (drawn: ArrayLike<number>) => {
    const up = bySize(drawn);
    return up === undefined ? undefined : Math.max(up, 1 - up);
  };
  const gain = (drawn: ArrayLike<number>) => {
    const [ours, theirs] = [own(drawn), size(drawn)];
    return ours === undefined || theirs === undefined ? undefined : ours - theirs;
  };
  return {
    group: group.name,
    protocols: places.length,
    happened: happened.filter(Boolean).length,
    sizeAlone: round(size(happened.map((_, place) => place))!),
    crossFitted: estimate(happened, own),
    gain: estimate(happened, gain),
  };
}

export function estimate(
  happened: readonly boolean[],
  figure: (drawn: ArrayLike<number>) => number | undefined,
): Estimate {
  const { low, high } = bootstrap(happened, figure);
  return {
    value: round(figure(happened.map((_, place) => place))!),
    low: round(low),
    high: round(high),
  };
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
