import { parseArgs } from 'node:util';
import { type Figure, renderTable } from '../table.ts';
import { measurePaying } from './paidFigures.ts';
import { measureReading } from './readFigures.ts';

const PARTS = ['read', 'paid'];
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    reads: { type: 'string', default: '100' },
    purchases: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true, default: PARTS },
  },
});
const rounds = Number(flags.rounds);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const figures: Figure[] = [];
if (flags.only.includes('read')) {
  figures.push(...(await measureReading(rounds, Number(flags.reads))));
}
if (flags.only.includes('paid')) {
  figures.push(...(await measurePaying(rounds, Number(flags.purchases))));
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;
