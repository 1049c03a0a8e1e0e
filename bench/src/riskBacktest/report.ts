import type { Figure } from '../table.ts';
import type { Case } from './dataset.ts';
import { THEN } from './dataset.ts';
import { SHOWN } from './fit.ts';
import { FOLDS, foldOf } from './folds.ts';
import { auc, bootstrap, pick } from './measure.ts';
import type { Method } from './method.ts';

export interface Outcome {
  readonly name: string;
  readonly happened: readonly boolean[];
}

export function outcomesOf(cases: readonly Case[]): Outcome[] {
  return [
    { name: 'later dead', happened: cases.map(({ dead }) => dead) },
    { name: 'rugged', happened: cases.map(({ rugged }) => rugged) },
  ];
}

/**
 * The AUC that would be seen with every outcome shown. A protocol whose death is kept apart is counted as living, which
 * pulls any ranking's AUC towards one half by the share of such protocols: the same for every ranking.
 */
export function unveiled(seen: number, happened: readonly boolean[]): number {
  const positives = happened.filter(Boolean).length;
  const hidden = (positives * (1 - SHOWN)) / SHOWN / (happened.length - positives);
  return 0.5 + (seen - 0.5) / (1 - hidden);
}

export function aucFigure(
  name: string,
  scores: readonly number[],
  { name: outcome, happened }: Outcome,
): Figure {
  const seen = auc(scores, happened)!;
  const { low, high } = bootstrap(happened, (places) =>
    auc(pick(scores, places), pick(happened, places)),
  );
  return {
    figure: `${outcome}: ${name}`,
    asked: '',
    measured: `${seen.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), about ${unveiled(seen, happened).toFixed(3)} with all outcomes shown`,
    pass: null,
  };
}

/** The honest comparison: same protocols, same draws, weights that never saw them. */
export function gainFigure(
  scores: readonly number[],
  baseline: readonly number[],
  { name, happened }: Outcome,
): Figure {
  const gain = (places: readonly number[]): number | undefined => {
    const [ours, theirs] = [scores, baseline].map((some) =>
      auc(pick(some, places), pick(happened, places)),
    );
    return ours === undefined || theirs === undefined ? undefined : ours - theirs;
  };
  const all = gain(happened.map((_, place) => place))!;
  const { low, high } = bootstrap(happened, gain);
  return {
    figure: `${name}: cross-fitted over TVL alone`,
    asked: 'above 0',
    measured: `${signed(all)} (${signed(low)} to ${signed(high)})`,
    pass: all > 0,
  };
}

/** Mean over the folds of each fold's own gain; a fold without the outcome has none. */
export function foldFigure(
  cases: readonly Case[],
  scores: readonly number[],
  baseline: readonly number[],
  { name, happened }: Outcome,
): Figure {
  const gains = Array.from({ length: FOLDS }, (_, fold) => {
    const places = cases.flatMap(({ id }, place) => (foldOf(id) === fold ? [place] : []));
    const ours = auc(pick(scores, places), pick(happened, places));
    const theirs = auc(pick(baseline, places), pick(happened, places));
    return ours === undefined || theirs === undefined ? undefined : ours - theirs;
  });
  const known = gains.filter((gain) => gain !== undefined);
  const mean = known.reduce((sum, gain) => sum + gain, 0) / known.length;
  return {
    figure: `${name}: the same, mean of folds`,
    asked: 'above 0',
    measured: `${signed(mean)} (${gains.map((gain) => (gain === undefined ? '-' : signed(gain))).join(', ')})`,
    pass: mean > 0,
  };
}

export interface GradeRow {
  readonly grade: string;
  readonly protocols: number;
  readonly dead: number;
  readonly rugged: number;
}

export function byGrade(cases: readonly Case[], method: Method): GradeRow[] {
  return ['A', 'B', 'C', 'D', 'E', 'F'].map((grade) => {
    const those = cases.filter(({ facts }) => method.grade(method.hazard(facts, THEN)) === grade);
    return {
      grade,
      protocols: those.length,
      dead: those.filter(({ dead }) => dead).length,
      rugged: those.filter(({ rugged }) => rugged).length,
    };
  });
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
