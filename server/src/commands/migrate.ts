import { openStore } from '../store/open.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay migrate [--config FILE]',
  details: 'The other commands do so by themselves; this one is for careful roll-outs.',
  async run(_args, terminal) {
    await (await openStore(configOf(terminal).store)).close();
    terminal.print('the database has the newest schema');
    return 0;
  },
});
