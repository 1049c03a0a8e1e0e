import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Figure, renderTable } from '../table.ts';
import { type Past, readPast } from './cases.ts';
import { crossFitHazards, measureAll, UNTIL } from './figures.ts';
import { fitClosureWeights } from './fitClosure.ts';
import { countAgain, fitIncident, fitLossWeights } from './fitLoss.ts';
import { gradeTimes } from './gradeTime.ts';
import { type Lists, RiskDataMissing, readLists } from './lists.ts';
import { scoresOf } from './scores.ts';
import { loadServer, type Server, type Tables } from './server.ts';

/** Grades the protocols of November 2022 and compares the grades with the outcomes. */
export async function run(): Promise<void> {
  const { values: flags } = parseArgs({
    options: { scores: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const server = await loadServer();
  const lists = findLists();
  if (lists === undefined) return;
  const past = readPast(lists, server);
  if (flags.scores !== undefined) {
    writeFileSync(flags.scores, `${JSON.stringify(scoresOf(past, server), null, 1)}\n`);
    console.log(`${past.cases.length} protocols, both hazards and grade: ${flags.scores}`);
  }
  const figures = measureAll(lists, past, server);
  if (flags.json) {
    console.log(JSON.stringify(figures, null, 2));
    return;
  }
  for (const part of server.backtestText(figures)) console.log(`\n${part}`);
  console.log(`\nFitted on all of this half, before rounding; shipped in method ${server.version}`);
  console.log(fittedText(past, server));
  const asked = [...askedFigures(figures), ...(await gradeTimes(process.env.ASSAY_RISK_DATA))];
  console.log(`\n${renderTable(asked)}`);
  if (asked.some(({ pass }) => pass === false)) process.exitCode = 1;
}

function findLists(): Lists | undefined {
  try {
    return readLists(process.env.ASSAY_RISK_DATA, process.env.ASSAY_INCIDENTS);
  } catch (error) {
    if (!(error instanceof RiskDataMissing)) throw error;
    console.log(error.message);
    return undefined;
  }
}

function askedFigures(figures: ReturnType<typeof measureAll>): Figure[] {
  const [watched] = figures.loss;
  const given = figures.grades.filter(({ of }) => of > 0);
  const rates = given.map(({ yearly }) => yearly.value);
  const a = given.find(({ grade }) => grade === 'A');
  const { crossFitted, gain } = watched!;
  return [
    {
      figure: 'loss of at least 1%, above 1 million USD, cross-fitted: AUC',
      asked: 'at least 0.70',
      measured: `${crossFitted.value} (${crossFitted.low} to ${crossFitted.high})`,
      pass: crossFitted.value >= 0.7,
    },
    {
      figure: 'the same over size alone, in either direction',
      asked: 'interval above 0',
      measured: `${gain.value} (${gain.low} to ${gain.high})`,
      pass: gain.low > 0,
    },
    {
      figure: 'observed yearly rate from one grade to the next worse one',
      asked: 'never falls',
      measured: given.map(({ grade, yearly }) => `${grade} ${yearly.value}%`).join(', '),
      pass: rates.every((rate, place) => place === 0 || rate >= rates[place - 1]!),
    },
    {
      figure: 'observed yearly rate of each grade in the band that it claims',
      asked: 'in the band',
      measured: given
        .map(({ grade, from, upTo }) => `${grade} ${from} to ${upTo ?? 100}%`)
        .join(', '),
      pass: given.every(
        ({ yearly, from, upTo }) => yearly.value >= from && yearly.value <= (upTo ?? 100),
      ),
    },
    {
      figure: 'grade A',
      asked: 'at most 0.8%, or not given',
      measured: a === undefined ? 'not given' : `${a.yearly.value}%`,
      pass: a === undefined || a.yearly.value <= 0.8,
    },
    {
      figure: 'closure, cross-fitted: AUC over size alone',
      asked: 'no worse',
      measured: `${figures.closure.crossFitted.value}, size alone ${figures.closure.sizeAlone}`,
      pass: figures.closure.crossFitted.value >= figures.closure.sizeAlone,
    },
  ];
}

function fittedText(past: Past, server: Server): string {
  const { cases, fitted } = crossFitHazards(past, server);
  const again = countAgain(
    cases,
    fitted.map(({ loss }) => loss),
    UNTIL,
  );
  const loss = {
    ...fitLossWeights(cases, server),
    incident: { none: 1, yes: fitIncident(again.lost, again.expected) },
  };
  return [
    ...tableText('loss', loss, server.lossWeights),
    ...tableText('closure', fitClosureWeights(cases, server), server.closureWeights),
  ].join('\n');
}

function tableText(of: string, fitted: Tables, shipped: Tables): string[] {
  return Object.entries(fitted).flatMap(([factor, table]) =>
    Object.entries(table).map(
      ([band, value]) =>
        `${of}: ${factor}: ${band}: ${value.toFixed(2)}, shipped ${shipped[factor]![band]}`,
    ),
  );
}
