import { ALONE, defineCommand } from './command.ts';
import { runServer } from './runServer.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay serve [--config FILE]',
  details: 'Needs DATABASE_URL; reads go to DATABASE_REPLICA_URL when that is set.',
  run: (_args, terminal) => runServer('serve', terminal),
});
