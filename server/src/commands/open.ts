import { readFlags } from '../cli/flags.ts';
import { browserCommand, openBrowser } from '../cli/openBrowser.ts';
import { UsageError } from '../cli/usageError.ts';
import { defineCommand } from './command.ts';
import { openClient, READ_FLAGS } from './read/readCommand.ts';

interface OpenArgs {
  /** Path and query. */
  readonly page: string;
  readonly url: string | undefined;
  readonly print: boolean;
}

const FLAGS = {
  print: { text: 'Print the URL without opening it' },
  url: READ_FLAGS.url,
};

export const command = defineCommand<OpenArgs>({
  usage: 'assay open [COMMAND …] [flags]',
  details: [
    'Prints the URL of the dashboard page for a command, and opens it in a browser if',
    'there is a terminal and a desktop ($BROWSER names another program). Reads and',
    'pays nothing.',
  ].join('\n'),
  examples: [
    'assay open',
    'assay open tvl svcusd --usd',
    'assay open performance 0x… --print',
    'assay open risk node chain:base',
  ],
  flags: FLAGS,
  read: () => ({ page: '/', url: undefined, print: false }),
  readLine,
  async run({ page, url, print }, terminal) {
    const found = `${openClient({ url }, terminal).url}${page}`;
    terminal.print(found);
    const browser = browserCommand(terminal.env, process.platform);
    if (print || !terminal.output.isTTY || browser === undefined) return 0;
    if (!(await openBrowser(found, browser))) {
      terminal.errors.write(`assay: ${browser[0]} could not be started; open the URL yourself\n`);
    }
    return 0;
  },
});

async function readLine(words: readonly string[]): Promise<OpenArgs> {
  const print = words.includes('--print');
  const rest = words.filter((word) => word !== '--print');
  const own = rest.findIndex((word, i) => !word.startsWith('-') && rest[i - 1] !== '--url');
  if (own < 0) {
    const flags = readFlags('open', FLAGS, rest);
    if (flags === 'help') throw new UsageError('see "assay help open"');
    return { page: '/', url: flags.get('url'), print };
  }
  // Imported here, because the list of commands contains this one.
  const { readCommandLine } = await import('./commandLine.ts');
  const line = await readCommandLine([...rest.slice(own), ...rest.slice(0, own)]);
  if (!('command' in line) || line.command.page === undefined) {
    throw new UsageError(
      `the dashboard has no page for ${line.name}; name a command that shows vaults, a wallet, or risk`,
    );
  }
  const { url } = line.args as { readonly url?: string };
  return { page: line.command.page(line.args), url, print };
}
