import { GRADES, type Grade } from '../../domain/risk/graph.ts';

/** Part of every grade. Raise it for any change of a weight, band, cut-off, floor, or text. */
export const METHOD_VERSION = '2026-11.4';

/**
 * Maximum yearly probability of a loss per grade, in percent; F has no maximum. This version does not use the
 * interface's grade E: above 8% the data does not separate two grades.
 */
export const CUTOFFS: readonly { readonly grade: Grade; readonly upToPercent: number }[] = [
  { grade: 'A', upToPercent: 0.8 },
  { grade: 'B', upToPercent: 3 },
  { grade: 'C', upToPercent: 8 },
  { grade: 'D', upToPercent: 32 },
];

/** Maximum hazard. Anything above is an F anyway. */
export const MAX_HAZARD = 1000;

/** Converts the total hazard in percent per year to a probability within a year, in percent. */
export function yearlyProbability(hazard: number): number {
  return -100 * Math.expm1(-hazard / 100);
}

export function gradeOf(hazard: number): Grade {
  const probability = yearlyProbability(hazard);
  return CUTOFFS.find(({ upToPercent }) => probability <= upToPercent)?.grade ?? 'F';
}

/** 1 to 100, higher is safer; 0 means never graded. */
export function scoreOf(hazard: number): number {
  return Math.max(1, Math.round(100 - yearlyProbability(hazard)));
}

/**
 * Returns the smallest hazard that does not grade better than `grade`. A floor is a minimum of the own hazard, so it
 * passes on to dependents in proportion.
 */
export function leastHazard(grade: Grade): number {
  const better = CUTOFFS.findLast((each) => GRADES.indexOf(each.grade) < GRADES.indexOf(grade));
  // Slightly above the cut-off, so that rounding never crosses it.
  return better === undefined ? 0 : -100 * Math.log1p(-better.upToPercent / 100) * 1.01;
}
