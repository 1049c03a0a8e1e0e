import { resolve } from 'node:path';
import { UsageError } from '../cli/usageError.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface BackupArguments {
  /** An absolute path: a running server may have another working directory. */
  readonly to: string;
}

/** While a server runs, that server executes it. */
export const backupStore: StoreCommand<BackupArguments> = {
  name: 'backup',
  async runOn({ store }, { to }, print) {
    if (store.copyTo === undefined) {
      throw new UsageError(
        'the database is a PostgreSQL server: back it up with its own tools, while servers run, as in: pg_dump --format=custom --file=assay.dump "$DATABASE_URL"',
      );
    }
    const { files, bytes, heldMs } = await store.copyTo(to);
    const size = (bytes / 1e6).toFixed(1);
    print(`${to}: ${files} files, ${size} MB; requests were paused for ${Math.ceil(heldMs)} ms`);
    return 0;
  },
};

export const command = onStore(backupStore, {
  usage: 'assay backup --to FOLDER [--config FILE]',
  details: [
    'Copies the embedded database into a new folder, even while the server runs.',
    'Requests pause briefly at the end of the copy. To restore, replace store.folder with the copy and start the server.',
    'With PostgreSQL, the command prints which tool to use.',
  ].join(' '),
  flags: {
    config: CONFIG,
    to: { value: 'FOLDER', text: 'Target folder; must be empty or not exist' },
  },
  read(flags) {
    const to = flags.get('to');
    if (to === undefined) throw new UsageError('backup needs a folder to write; add --to FOLDER');
    return { to: resolve(to) };
  },
});
