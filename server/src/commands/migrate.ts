import { openStore } from '../store/open.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay migrate [--config FILE]',
  details:
    'Upgrades the schema of the database. Servers also do this when they start; use this command to upgrade before a rollout.',
  async run(_args, terminal) {
    await (await openStore(configOf(terminal).store)).close();
    terminal.print('the database schema is up to date');
    return 0;
  },
});
