import { ALONE, defineCommand } from './command.ts';
import { runServer } from './runServer.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay serve [--config FILE]',
  details:
    'Runs only the API; start as many as you need. Needs DATABASE_URL. Reads use DATABASE_REPLICA_URL if it is set.',
  run: (_args, terminal) => runServer('serve', terminal),
});
