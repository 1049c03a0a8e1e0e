import { type Figure, renderTable } from '../table.ts';
import { type Case, RiskDataMissing, readCases, THEN } from './dataset.ts';
import { FITTED, fitWeights, SHOWN } from './fit.ts';
import { crossFit, FOLDS, SPLITS } from './folds.ts';
import { gradeTimes } from './gradeTime.ts';
import { loadMethod, type Method, type Weights } from './method.ts';
import { aucFigure, byGrade, foldFigure, gainFigure, outcomesOf } from './report.ts';
import { START } from './startWeights.ts';

/** Grades the protocols of November 2022 and holds them against what April 2026 shows. */
export async function run(): Promise<void> {
  console.log(renderTable(await gradeTimes(process.env.ASSAY_RISK_DATA)));
  const cases = findCases();
  if (cases === undefined) return;
  const method = await loadMethod();
  const scores = {
    'TVL alone': cases.map(({ facts }) => -(facts.tvlUsd ?? 0)),
    'start weights': hazards(cases, method, START),
    [`shipped ${method.version}, which saw these protocols`]: hazards(cases, method),
    'cross-fitted': crossFit(cases, method),
  };
  console.log(
    `\n${cases.length} protocols; ${SPLITS} splits into ${FOLDS} folds by a hash of the id. About ${100 * SHOWN} % of the outcomes are shown; the others look alive.\n`,
  );
  console.log(
    renderTable(outcomesOf(cases).flatMap((outcome) => figuresOf(cases, scores, outcome))),
  );
  console.log('\nOutcome by grade, shipped weights, of what is shown');
  console.log(renderTable(gradeFigures(cases, method)));
  console.log('\nFitted on all protocols, before rounding');
  console.log(renderWeights(fitWeights(cases, method), method.weights));
}

function findCases(): Case[] | undefined {
  try {
    return readCases(process.env.ASSAY_RISK_DATA);
  } catch (error) {
    if (!(error instanceof RiskDataMissing)) throw error;
    console.log(error.message);
    return undefined;
  }
}

function hazards(cases: readonly Case[], method: Method, weights?: Weights): number[] {
  return cases.map(({ facts }) => method.hazard(facts, THEN, weights));
}

function figuresOf(
  cases: readonly Case[],
  scores: Readonly<Record<string, readonly number[]>>,
  outcome: ReturnType<typeof outcomesOf>[number],
): Figure[] {
  const [tvl, fitted] = [scores['TVL alone']!, scores['cross-fitted']!];
  return [
    ...Object.entries(scores).map(([name, values]) => aucFigure(name, values, outcome)),
    gainFigure(fitted, tvl, outcome),
    foldFigure(cases, fitted, tvl, outcome),
  ];
}

function gradeFigures(cases: readonly Case[], method: Method): Figure[] {
  return byGrade(cases, method).map(({ grade, protocols, dead, rugged }) => ({
    figure: grade,
    asked: '',
    measured: `${protocols} protocols, ${dead} dead, ${rugged} rugged`,
    pass: null,
  }));
}

function renderWeights(fitted: Weights, shipped: Weights): string {
  return FITTED.flatMap((factor) =>
    Object.entries(fitted[factor]!).map(
      ([band, value]) =>
        `${factor}: ${band}: ${value.toFixed(2)}, shipped ${shipped[factor]![band]}`,
    ),
  ).join('\n');
}
