import { parseArgs } from 'node:util';
import { renderTable } from '../table.ts';
import { gradeFigures } from './gradeBench.ts';
import { searchFigures } from './searchBench.ts';

/** Measures search and dependencies on generated graphs, and grading of the real lists if available. */
export async function run(): Promise<void> {
  const { values: flags } = parseArgs({
    options: { 'no-rivals': { type: 'boolean', default: false } },
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const figures = await searchFigures({ rivals: !flags['no-rivals'], say });
  say('grading');
  figures.push(...(await gradeFigures()));
  say(`\n${renderTable(figures)}`);
  if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;
}
