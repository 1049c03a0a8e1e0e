import type { Backtest, Estimate, GradeRow, Observed, Ranking } from '../backtest/backtestShape.ts';
import { markdownTable } from './markdownTable.ts';

/** Returns the tables of the back-test, for the page and the benchmark. */
export function backtestText(backtest: Backtest): string[] {
  return [
    ...lossText(backtest),
    ...gradesText(backtest),
    ...factsText(backtest),
    ...closureText(backtest),
    ...assetsText(backtest),
  ];
}

function lossText(backtest: Backtest): string[] {
  const { facts, from, to, months, protocols, loss, sizes, overTime } = backtest;
  return [
    `${protocols} protocols with their facts of ${facts}, compared with the known losses from ${from} to ${to}, ${months} months. This is half of all listed protocols; the other half is held out. Cross-fitted: each protocol is scored with weights that were fitted without it, averaged over several splits. AUC: how often a protocol with the outcome ranks above one without. Size alone: ranked by size, in the better direction. Intervals contain 95% of 1,000 samples.`,
    markdownTable(
      ['outcome', 'protocols', 'lost', 'size alone', 'cross-fitted', 'gain over size alone'],
      loss.map(rankingCells),
    ),
    'Losses of at least 1% by size, and the number that the cross-fitted weights predict:',
    markdownTable(
      ['TVL', 'protocols', 'lost', 'expected'],
      sizes.map(({ size, protocols: of, lost, expected }) => [
        size,
        `${of}`,
        `${lost}`,
        `${expected}`,
      ]),
    ),
    'Fitted on one period and tested on another; protocols above 1 million USD without a loss in the fitting period:',
    markdownTable(
      ['fitted on', 'tested on', 'lost', 'AUC'],
      overTime.map(({ learned, judged, happened, auc }) => [
        learned,
        judged,
        `${happened}`,
        spread(auc),
      ]),
    ),
  ];
}

function gradesText({ grades, gradesOfAll, again }: Backtest): string[] {
  return [
    'Observed yearly rate of losses of at least 1% by grade, above 1 million USD. Each protocol is graded with its dependencies, by weights that were fitted without it. The interval is exact (Clopper–Pearson):',
    gradeTable(grades),
    'The same for all sizes. Losses of small protocols are seldom reported, and a floor puts most of them at C, so the rate of C is too low here:',
    gradeTable(gradesOfAll),
    `After an incident: of ${again.of} protocols, ${again.lost} had another loss afterwards; their other facts alone predict ${again.expected}.`,
  ];
}

function factsText({ singleFacts, tried }: Backtest): string[] {
  return [
    'Each fact alone, protocols above 1 million USD:',
    markdownTable(
      ['fact', 'with it', 'of these lost', 'without', 'of these lost', 'AUC'],
      singleFacts.map(({ fact, with: yes, without, auc }) => [
        fact,
        ...[...yes, ...without].map(String),
        `${auc}`,
      ]),
    ),
    'Other sets of facts, cross-fitted, above 1 million USD:',
    markdownTable(
      ['facts', 'AUC', 'gain over size alone'],
      tried.map(({ set, auc, gain }) => [set, `${auc}`, spread(gain)]),
    ),
  ];
}

function closureText({ closure }: Backtest): string[] {
  return [
    'Closure, the same half, cross-fitted:',
    markdownTable(
      ['outcome', 'protocols', 'closed', 'size alone', 'cross-fitted', 'gain over size alone'],
      [rankingCells(closure)],
    ),
  ];
}

function assetsText({ stablecoins, stablecoinAuc, dependencies }: Backtest): string[] {
  return [
    'Stablecoins that held their peg in 2022-11, by backing:',
    markdownTable(
      ['backing', 'coins', 'lost their peg', 'not known', 'a year', 'method, mean'],
      stablecoins.map((row) => [
        row.kind,
        `${row.of}`,
        `${row.lost}`,
        `${row.unknown}`,
        percentSpread(row),
        `${row.claimed}%`,
      ]),
    ),
    `The method's order of these coins: AUC ${spread(stablecoinAuc)}.`,
    'Losses through a dependency, and whether the hazard with dependencies ranks better than the own hazard:',
    markdownTable(
      ['outcome', 'protocols', 'own hazard', 'with dependencies', 'difference'],
      dependencies.map(({ outcome, happened, own, whole, gain }) => [
        outcome,
        `${happened}`,
        `${own}`,
        `${whole}`,
        spread(gain),
      ]),
    ),
  ];
}

function gradeTable(rows: readonly GradeRow[]): string {
  return markdownTable(
    ['grade', 'claims', 'protocols', 'lost', 'observed a year', 'in the band'],
    rows.map((row) => [
      row.grade,
      row.upTo === null ? `above ${row.from}%` : `${row.from} to ${row.upTo}%`,
      `${row.of}`,
      `${row.lost}`,
      row.of === 0 ? 'not given' : percentSpread(row),
      inBand(row),
    ]),
  );
}

/** Whether the observed rate is within the band of the grade. */
function inBand({ of, yearly, from, upTo }: GradeRow): string {
  if (of === 0) return '';
  const most = upTo ?? 100;
  if (yearly.value >= from && yearly.value <= most) return 'yes';
  const touches = yearly.high >= from && yearly.low <= most;
  return touches ? 'its interval alone' : 'no';
}

function rankingCells({ group, protocols, happened, sizeAlone, crossFitted, gain }: Ranking) {
  return [group, `${protocols}`, `${happened}`, `${sizeAlone}`, spread(crossFitted), spread(gain)];
}

function spread({ value, low, high }: Estimate): string {
  return `${value} (${low} to ${high})`;
}

function percentSpread({ yearly: { value, low, high } }: Observed): string {
  return `${value}% (${low} to ${high})`;
}
