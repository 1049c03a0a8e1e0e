import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { migrateUrl } from '../http/previous/migrateUrl.ts';
import { CONFIG, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';

const EXAMPLE = '/api/v1/vault/base/0x1111111111111111111111111111111111111111';

export const command = defineCommand<{ readonly url: string }>({
  usage: 'assay migrate-url URL [--config FILE]',
  details: [
    'URL is one of the previous API, on whatever host. Network and vault are looked up in the configuration; nobody is',
    'asked. The new URL is all that goes to the output; what to know about it is said beside, on the error output.',
    'With http.publicUrl it is whole, else a path. Exit code 1 when something in the URL is not known here.',
    'docs/migration.md has the answers side by side.',
  ].join('\n'),
  examples: [`assay migrate-url https://old.example${EXAMPLE}`],
  flags: { config: CONFIG },
  argument: 'URL',
  read(_flags: FlagValues, url: string | undefined) {
    if (url === undefined) {
      throw new UsageError(`say which URL, for example: assay migrate-url ${EXAMPLE}`);
    }
    return { url };
  },
  async run({ url }, terminal) {
    const config = configOf(terminal);
    const found = migrateUrl(config, url);
    if (found === undefined) {
      throw new UsageError(
        'this is no URL of the seven operations of the previous API; docs/migration.md lists them',
      );
    }
    for (const note of found.notes) terminal.errors.write(`${note}\n`);
    if (found.url === null) return 1;
    terminal.print(found.url);
    return 0;
  },
});
