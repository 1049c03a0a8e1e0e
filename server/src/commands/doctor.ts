import { examine } from '../doctor/doctor.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';
import { printLines } from './printLines.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay doctor [--config FILE]',
  details: [
    'All that check looks at, and what is around it: every RPC URL on its own (chain, age of its head, log range, old',
    'state), the clock, the database and its schema, the replica, the disk, and calls to nodes per day. One line each,',
    'with a remedy where one is needed. It changes nothing, and works beside a running server.',
  ].join('\n'),
  async run(_args, terminal) {
    const { lines, ok } = await examine(configOf(terminal), unixTime);
    printLines(lines, terminal.print);
    return ok ? 0 : 1;
  },
});
