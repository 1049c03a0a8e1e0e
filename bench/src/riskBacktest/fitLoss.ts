import type { Case } from './cases.ts';
import { type Fit, fitHazard, logHazard } from './hazardFit.ts';
import { isWatched, lost, YEARS } from './outcomes.ts';
import type { Server, Tables } from './server.ts';

/** Strength of the ridge on log multipliers; see hazardFit.ts. Chosen in advance, not by its results. */
export const PULL = 4;

/** The columns of a fact in a fit. */
export interface Columns {
  readonly name: string;
  values(one: Case): readonly number[];
}

const KNOWN_KINDS = (server: Server) =>
  Object.keys(server.lossWeights.kind!).filter((kind) => kind !== 'unknown');

/** Returns the facts of the shipped method. */
export function shippedColumns(server: Server): Columns[] {
  const bandsOf = ({ facts, around }: Case) => server.lossBands(facts, around);
  const kinds = KNOWN_KINDS(server);
  return [
    { name: 'kind', values: (one) => kinds.map((kind) => Number(bandsOf(one).kind === kind)) },
    { name: 'number of chains', values: ({ facts }) => [doublings(facts.chains?.length ?? 1)] },
    { name: 'rollup', values: ({ around }) => [Number(around.onRollup === true)] },
    { name: 'fork of Compound or Aave', values: (one) => [Number(bandsOf(one).copy === 'yes')] },
    { name: 'yield of its pools', values: ({ facts }) => [tenths(facts.poolsApy ?? 0)] },
  ];
}

/** Capped at eight chains, because too few protocols have more. */
function doublings(chains: number): number {
  return Math.log2(Math.min(chains, 8));
}

/** Capped at ten percent, because a higher yield adds no information. */
function tenths(apy: number): number {
  return Math.min(1, 10 * apy);
}

export interface FitOptions {
  readonly pull?: number;
  /** Which protocols to learn from. */
  readonly from?: (one: Case) => boolean;
  readonly happened?: (one: Case) => boolean;
}

/** Fits on protocols of this half above 1 million USD: losses of smaller ones are rarely reported. */
export function fitColumns(
  seen: readonly Case[],
  columns: readonly Columns[],
  { pull = PULL, from = isWatched, happened = (one) => lost(one) }: FitOptions = {},
): { readonly fit: Fit; score(one: Case): number } {
  const valuesOf = (one: Case) => columns.flatMap(({ values }) => values(one));
  const learned = seen.filter((one) => one.outcome !== undefined && from(one));
  const fit = fitHazard(
    learned.map((one) => ({ values: valuesOf(one), happened: happened(one) })),
    pull,
  );
  return { fit, score: (one) => logHazard(fit, valuesOf(one)) };
}

type FourLogs = [number, number, number, number];

/** Returns the tables of the method fitted on these cases only, before rounding. */
export function fitLossWeights(seen: readonly Case[], server: Server): Tables {
  const { fit } = fitColumns(seen, shippedColumns(server));
  const kinds = KNOWN_KINDS(server);
  const [perDoubling, rollup, copy, perTenth] = fit.logs.slice(kinds.length) as FourLogs;
  const learned = seen.filter((one) => one.outcome !== undefined && isWatched(one));
  const anchors = Object.fromEntries(
    kinds.map((kind, place) => [kind, (100 * Math.exp(fit.base + fit.logs[place]!)) / YEARS]),
  );
  const mean = (value: (one: Case) => number) =>
    learned.reduce((sum, one) => sum + value(one), 0) / learned.length;
  const average = mean(({ facts, around }) => anchors[server.lossBands(facts, around).kind]!);
  return {
    ...server.lossWeights,
    // An unclassified kind is at best the average.
    kind: { ...anchors, other: Math.max(anchors.other!, average), unknown: average },
    chains: {
      ...Object.fromEntries([1, 2, 4, 8].map((n) => [n, Math.exp(perDoubling * Math.log2(n))])),
      unknown: mean(({ facts }) => Math.exp(perDoubling * doublings(facts.chains?.length ?? 1))),
    },
    rollup: {
      no: 1,
      yes: Math.exp(rollup),
      unknown: mean(({ around }) => (around.onRollup ? Math.exp(rollup) : 1)),
    },
    copy: { no: 1, yes: Math.exp(copy) },
    yield: { 0: 1, 5: Math.exp(perTenth / 2), 10: Math.exp(perTenth) },
  };
}

/** Counts protocols that lost after a first incident, and the number expected from their hazards. */
export function countAgain(
  cases: readonly Case[],
  yearlyHazards: readonly number[],
  until: number,
): { readonly of: number; readonly lost: number; readonly expected: number } {
  const SAME_DAYS = 2 * 86_400;
  let [of, again, expected] = [0, 0, 0];
  cases.forEach(({ outcome }, place) => {
    const first = outcome?.incidents[0];
    if (first === undefined || first >= until) return;
    of += 1;
    if (outcome!.losses.some(({ at }) => at - first > SAME_DAYS && at < until)) again += 1;
    const years = (until - first) / 31_556_952;
    expected += -Math.expm1((-yearlyHazards[place]! / 100) * years);
  });
  return { of, lost: again, expected };
}

/** Returns the multiplier of an incident, regularized toward 1 like every other multiplier. */
export function fitIncident(lostAgain: number, expected: number): number {
  let log = 0;
  for (let step = 0; step < 50; step += 1) {
    const slope = lostAgain - expected * Math.exp(log) - PULL * log;
    log += slope / (expected * Math.exp(log) + PULL);
  }
  return Math.exp(log);
}
