import { openStore } from '../store/open.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay migrate [--config FILE]',
  details:
    'The other commands upgrade the schema themselves; use this one to upgrade it before a rollout.',
  async run(_args, terminal) {
    await (await openStore(configOf(terminal).store)).close();
    terminal.print('the database schema is up to date');
    return 0;
  },
});
