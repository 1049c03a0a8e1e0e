import { examine } from '../doctor/doctor.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';
import { printLines } from './printLines.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay doctor [--config FILE]',
  details: [
    'Runs every test of "assay check" and also tests each RPC URL (chain, head age, log range, archive state),',
    'the clock, the database and its schema, the replica, the disk, and the estimated RPC calls per day.',
    'Prints one line per test, with a fix if it fails. Changes nothing; works while the server runs.',
  ].join(' '),
  async run(_args, terminal) {
    const { lines, ok } = await examine(configOf(terminal), unixTime);
    printLines(lines, terminal.print);
    return ok ? 0 : 1;
  },
});
