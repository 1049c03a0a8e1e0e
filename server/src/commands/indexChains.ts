import { tuneForBackfill } from '../runtime/engine.ts';
import { ALONE, defineCommand } from './command.ts';
import { runServer } from './runServer.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay index [--config FILE]',
  details:
    'Runs only the indexer. Needs DATABASE_URL. One instance leads each chain; if it stops, another takes over.',
  run(_args, terminal) {
    tuneForBackfill();
    return runServer('index', terminal);
  },
});
