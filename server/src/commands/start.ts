import { ALONE, defineCommand } from './command.ts';
import { runServer } from './runServer.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay start [--config FILE]',
  details:
    'Runs the indexer and the API in one process, on the embedded database in store.folder, or on PostgreSQL if DATABASE_URL is set.',
  run: (_args, terminal) => runServer('start', terminal),
});
