import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { migrateUrl } from '../http/legacy/migrateUrl.ts';
import { CONFIG, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';

const EXAMPLE = '/api/v1/vault/base/0x1111111111111111111111111111111111111111';

export const command = defineCommand<{ readonly url: string }>({
  usage: 'assay migrate-url URL [--config FILE]',
  details: [
    'URL is a URL of the legacy API, on any host. Network and vault are looked up in',
    'the configuration, without a request. Prints only the new URL on standard output and notes on standard error.',
    'The result is a path unless http.publicUrl is set. Exit code 1: no equivalent, or an unknown network or vault.',
    'docs/migration.md compares the responses.',
  ].join(' '),
  examples: ['assay migrate-url https://old.example/api/v1/vault/base/0x1…'],
  flags: { config: CONFIG },
  argument: 'URL',
  read(_flags: FlagValues, url: string | undefined) {
    if (url === undefined) {
      throw new UsageError(`specify a URL, for example: assay migrate-url ${EXAMPLE}`);
    }
    return { url };
  },
  async run({ url }, terminal) {
    const config = configOf(terminal);
    const found = migrateUrl(config, url);
    if (found === undefined) {
      throw new UsageError(
        'this is not a URL of the seven operations of the legacy API; docs/migration.md lists them',
      );
    }
    for (const note of found.notes) terminal.errors.write(`${note}\n`);
    if (found.url === null) return 1;
    terminal.print(found.url);
    return 0;
  },
});
