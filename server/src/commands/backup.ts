import { resolve } from 'node:path';
import { UsageError } from '../cli/usageError.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface BackupArguments {
  /** In full: a running server may have another working directory. */
  readonly to: string;
}

/** Beside a running server, that server runs it. */
export const backupStore: StoreCommand<BackupArguments> = {
  name: 'backup',
  async runOn({ store }, { to }, print) {
    if (store.copyTo === undefined) {
      throw new UsageError(
        'the database is a PostgreSQL server: back it up with its own tools, beside running servers, as in: pg_dump --format=custom --file=assay.dump "$DATABASE_URL"',
      );
    }
    const { files, bytes, heldMs } = await store.copyTo(to);
    const size = (bytes / 1e6).toFixed(1);
    print(`${to}: ${files} files, ${size} MB; requests waited for ${Math.ceil(heldMs)} ms`);
    return 0;
  },
};

export const command = onStore(backupStore, {
  usage: 'assay backup --to FOLDER [--config FILE]',
  details: [
    'Copies the embedded database into a new folder, beside a running server too: most of it while the server works,',
    'what changed meanwhile while it waits. To restore, put the folder in the place of store.folder and start.',
    'With PostgreSQL it says which tool to use.',
  ].join('\n'),
  flags: {
    config: CONFIG,
    to: { value: 'FOLDER', text: 'a folder that is not there yet, or empty' },
  },
  read(flags) {
    const to = flags.get('to');
    if (to === undefined) throw new UsageError('backup needs a folder to write; add --to FOLDER');
    return { to: resolve(to) };
  },
});
