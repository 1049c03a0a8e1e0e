import { GRADES, type Grade } from '../../domain/risk/graph.ts';

/** Named in every grade. Any change to a weight, a band, a cut-off, a floor or a wording raises it. */
export const METHOD_VERSION = '2026-11.3';

/**
 * The highest yearly probability of a loss, in percent, that a grade allows; F has no limit. E is a letter of the
 * interface that this version does not give: beyond 8 % the data tell no two steps apart.
 */
export const CUTOFFS: readonly { readonly grade: Grade; readonly upToPercent: number }[] = [
  { grade: 'A', upToPercent: 0.8 },
  { grade: 'B', upToPercent: 3 },
  { grade: 'C', upToPercent: 8 },
  { grade: 'D', upToPercent: 32 },
];

/** A hazard beyond this changes nothing: it is an F several times over. */
export const MAX_HAZARD = 1000;

/** Percent per year that the hazards of everything reached add up to → percent probability within a year. */
export function yearlyProbability(hazard: number): number {
  return -100 * Math.expm1(-hazard / 100);
}

export function gradeOf(hazard: number): Grade {
  const probability = yearlyProbability(hazard);
  return CUTOFFS.find(({ upToPercent }) => probability <= upToPercent)?.grade ?? 'F';
}

/** 1 to 100, higher is safer; 0 is kept for what was never graded. */
export function scoreOf(hazard: number): number {
  return Math.max(1, Math.round(100 - yearlyProbability(hazard)));
}

/**
 * The smallest hazard that grades no better than the given grade. A floor is a least own hazard, so that it passes
 * on to whatever depends on the node, in proportion, like any other hazard.
 */
export function leastHazard(grade: Grade): number {
  const better = CUTOFFS.findLast((each) => GRADES.indexOf(each.grade) < GRADES.indexOf(grade));
  // A little above the cut-off, so that rounding never lands on the better side.
  return better === undefined ? 0 : -100 * Math.log1p(-better.upToPercent / 100) * 1.01;
}
