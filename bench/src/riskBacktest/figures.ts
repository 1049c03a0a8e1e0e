import type { Case, Past } from './cases.ts';
import { stablecoinRows } from './coins.ts';
import { fitClosureWeights } from './fitClosure.ts';
import { countAgain, fitColumns, fitLossWeights, shippedColumns } from './fitLoss.ts';
import { crossFit } from './folds.ts';
import { type CrossFitted, gradeRows, wholeHazards } from './gradeRows.ts';
import { type Lists, THEN } from './lists.ts';
import { createAuc, pick } from './measure.ts';
import { isWatched, lost, lostWithin, MONTHS, YEARS } from './outcomes.ts';
import { closureRanking, estimate, lossRankings, round } from './rankings.ts';
import type { Server } from './server.ts';
import { factRows, triedRows } from './triedSets.ts';

/** The day after the last month in which losses were counted. */
export const UNTIL = Date.UTC(2026, 8, 1) / 1000;

const HALFWAY = Date.UTC(2024, 5, 1) / 1000;

const SIZES = [
  { size: 'up to 100 thousand USD', from: 0, to: 1e5 },
  { size: '100 thousand to 1 million', from: 1e5, to: 1e6 },
  { size: '1 to 10 million', from: 1e6, to: 1e7 },
  { size: '10 to 100 million', from: 1e7, to: 1e8 },
  { size: 'above 100 million', from: 1e8, to: Number.POSITIVE_INFINITY },
];

/** The half with known outcomes, with hazards that were fitted without the case itself. */
export interface Measured {
  readonly cases: readonly Case[];
  readonly fitted: readonly CrossFitted[];
}

export function crossFitHazards({ cases: all }: Past, server: Server): Measured {
  const cases = all.filter(({ outcome }) => outcome !== undefined);
  const losses = crossFit(cases, (seen) => {
    const weights = fitLossWeights(seen, server);
    return ({ facts, around }) => Math.log(server.lossHazard(facts, THEN, around, weights));
  });
  const closures = crossFit(cases, (seen) => {
    const weights = fitClosureWeights(seen, server);
    return ({ facts }) => Math.log(server.closureHazard(facts, weights));
  });
  const fitted = cases.map((_, place) => ({
    loss: Math.exp(losses[place]!),
    closure: Math.exp(closures[place]!),
  }));
  return { cases, fitted };
}

/** Returns all published results of the back-test, in the shape that the server publishes. */
export function measureAll(lists: Lists, past: Past, server: Server) {
  const { cases, fitted } = crossFitHazards(past, server);
  const half = { cases, graph: past.graph };
  const own = fitted.map(({ loss }) => loss);
  const whole = wholeHazards(half, fitted, server);
  const coins = stablecoinRows(lists, server);
  const again = countAgain(cases, own, UNTIL);
  return {
    facts: '2022-11',
    from: '2022-12',
    to: '2026-08',
    months: MONTHS,
    protocols: cases.length,
    loss: lossRankings(cases, own),
    sizes: SIZES.map(({ size, from, to }) => {
      const places = cases.flatMap(({ tvlUsd }, place) =>
        tvlUsd > from && tvlUsd <= to ? [place] : [],
      );
      const chance = (hazard: number) => -Math.expm1((-hazard / 100) * YEARS);
      return {
        size,
        protocols: places.length,
        lost: places.filter((place) => lost(cases[place]!)).length,
        expected: round(
          places.reduce((sum, place) => sum + chance(own[place]!), 0),
          1,
        ),
      };
    }),
    overTime: overTimeRows(cases, server),
    grades: gradeRows(cases, whole, server, isWatched),
    gradesOfAll: gradeRows(cases, whole, server),
    singleFacts: factRows(cases, server),
    tried: triedRows(cases, server),
    closure: closureRanking(
      cases,
      fitted.map(({ closure }) => closure),
    ),
    stablecoins: coins.rows,
    stablecoinAuc: coins.auc,
    dependencies: dependencyRows(
      cases,
      own,
      whole.map(({ sum }) => sum),
    ),
    again: { ...again, expected: round(again.expected, 1) },
  };
}

/** Checks that weights fitted on one period predict the losses of another. */
function overTimeRows(cases: readonly Case[], server: Server) {
  const times = [
    { name: 'losses up to 2024-05', from: THEN, until: HALFWAY },
    { name: 'losses from 2024-06', from: HALFWAY, until: UNTIL },
  ];
  return [times, times.toReversed()].map(([learned, judged]) => {
    const { score } = fitColumns(cases, shippedColumns(server), {
      happened: (one) => lostWithin(one, learned!.from, learned!.until),
    });
    const left = cases.filter(
      (one) => isWatched(one) && !lostWithin(one, learned!.from, learned!.until),
    );
    const flags = left.map((one) => lostWithin(one, judged!.from, judged!.until));
    const scores = left.map(score);
    return {
      learned: learned!.name,
      judged: judged!.name,
      happened: flags.filter(Boolean).length,
      auc: estimate(flags, createAuc(scores, flags)),
    };
  });
}

function dependencyRows(cases: readonly Case[], own: readonly number[], whole: readonly number[]) {
  const throughOthers = ({ outcome }: Case) => outcome?.throughOthers === true;
  const groups = [
    {
      outcome: 'a loss through a dependency, all sizes',
      within: () => true,
      happened: throughOthers,
    },
    {
      outcome: 'a loss of at least 1% of its own, or one through a dependency, above 1 million USD',
      within: isWatched,
      happened: (one: Case) => lost(one) || throughOthers(one),
    },
  ];
  return groups.map(({ outcome, within, happened }) => {
    const places = cases.flatMap((one, place) => (within(one) ? [place] : []));
    const flags = places.map((place) => happened(cases[place]!));
    const ownAuc = createAuc(pick(own, places), flags);
    const wholeAuc = createAuc(pick(whole, places), flags);
    const all = flags.map((_, place) => place);
    return {
      outcome,
      happened: flags.filter(Boolean).length,
      own: round(ownAuc(all)!),
      whole: round(wholeAuc(all)!),
      gain: estimate(flags, (drawn) => {
        const [left, right] = [ownAuc(drawn), wholeAuc(drawn)];
        return left === undefined || right === undefined ? undefined : right - left;
      }),
    };
  });
}
