import { type Client, type EventPage, type GetEventsParameters, getEvents } from '@assay/client';
import { watchEventPages } from '@assay/client/watch';
import { readWholeNumber } from '../cli/flags.ts';
import { screenOf } from '../terminal/screen.ts';
import type { Terminal } from './command.ts';
import { getChainNames } from './read/chainNames.ts';
import { defineWith } from './read/commandSpec.ts';
import { endSignal } from './read/endSignal.ts';
import { eventCsv, eventLines, eventTitles } from './read/eventLines.ts';
import { EXIT, READ_EXITS } from './read/exitCodes.ts';
import { describeReadFailure } from './read/failures.ts';
import { type Forms, jsonText, printForms, selectedLines } from './read/forms.ts';
import {
  explain,
  openClient,
  READ_FLAGS,
  type ReadSettings,
  readSettings,
} from './read/readCommand.ts';

interface EventsArgs {
  readonly asked: GetEventsParameters;
  readonly follow: boolean;
}

export const command = defineWith<EventsArgs, ReadSettings>(
  {
    usage: 'events',
    details: [
      'Lists every change in order, from the oldest stored event. With --follow: waits for',
      'new events, through restarts of the server, and prints JSON lines with --json.',
      'A program that stores rows also stores the cursor, and passes it to --after.',
    ].join('\n'),
    examples: ['events --follow --json', 'events --types history --family svcusd --final'],
    flags: {
      follow: { text: 'Print new events until Ctrl+C' },
      after: { value: 'CURSOR', text: 'Continue after a cursor, or "latest"' },
      types: { value: 'LIST', text: 'Comma-separated types, such as history,pool' },
      family: { value: 'SLUG', text: 'Only this vault family' },
      wallet: { value: 'ADDRESS', text: 'Only events about this wallet' },
      chain: { value: 'ID', text: 'Only this chain' },
      final: { text: 'Only rows that a reorg cannot remove' },
      limit: { value: 'N', text: 'Number of events, 1 to 1000 (default 100)' },
    },
    read(flags) {
      const after = flags.get('after') ?? (flags.has('follow') ? 'latest' : undefined);
      const [types, family, user] = [flags.get('types'), flags.get('family'), flags.get('wallet')];
      const chainId = readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER });
      const limit = readWholeNumber(flags, 'limit', { from: 1, to: 1_000 });
      return {
        follow: flags.has('follow'),
        asked: {
          ...(after !== undefined && { after }),
          ...(types !== undefined && { types }),
          ...(family !== undefined && { family }),
          ...(user !== undefined && { user }),
          ...(chainId !== undefined && { chainId }),
          ...(limit !== undefined && { limit }),
          ...(flags.has('final') && { delivery: 'final' }),
        },
      };
    },
  },
  { flags: READ_FLAGS, exits: READ_EXITS, read: readSettings, run },
);

async function run(args: EventsArgs & ReadSettings, terminal: Terminal): Promise<number> {
  const client = openClient(args, terminal);
  try {
    // With --follow as well: a server that was never there is an error, and one that goes away is waited for.
    const page = await getEvents(client, args.asked);
    const show = await createPrinter(args, terminal, client);
    if (args.follow) return await follow(page, show, args, terminal, client);
    printForms(args, terminal, show.formsOf(page));
    return EXIT.done;
  } catch (error) {
    const { text, exitCode } = await explain(error, client, args.asked.family);
    terminal.errors.write(`assay: ${text}\n`);
    return exitCode;
  }
}

type Printer = Awaited<ReturnType<typeof createPrinter>>;

async function createPrinter({ form, select }: ReadSettings, terminal: Terminal, client: Client) {
  const nameOf = await getChainNames(client);
  let isFirst = true;
  return { formsOf, print };

  function formsOf(page: EventPage): Forms {
    return {
      json: () => page,
      csv: () => eventCsv(page.events),
      show: (screen) => [
        eventTitles(screen),
        ...eventLines(page.events, nameOf, screen),
        '',
        `continue with --after ${page.cursor}`,
      ],
    };
  }

  /** Prints the events of a page below those of the page before. */
  function print({ events }: EventPage): void {
    const lines = linesOf(events);
    isFirst &&= lines.length === 0;
    if (lines.length > 0) terminal.print(lines.join('\n'));
  }

  function linesOf(events: EventPage['events']): readonly string[] {
    if (select !== undefined) return events.flatMap((event) => selectedLines(event, select, form));
    if (form === 'json') return events.map((event) => jsonText(event));
    if (form === 'csv') return eventCsv(events).slice(isFirst ? 0 : 1);
    const screen = screenOf(terminal.output, terminal.env);
    return [...(isFirst ? [eventTitles(screen)] : []), ...eventLines(events, nameOf, screen)];
  }
}

async function follow(
  first: EventPage,
  show: Printer,
  { asked }: EventsArgs,
  terminal: Terminal,
  client: Client,
): Promise<number> {
  const { signal } = endSignal();
  let lastFailure: string | undefined;
  const onRetry = (error: unknown) => {
    const text = describeReadFailure(error, client.url)?.text ?? String(error);
    if (text !== lastFailure) terminal.errors.write(`assay: ${text}; retrying\n`);
    lastFailure = text;
  };
  show.print(first);
  const from = { ...asked, after: first.cursor, signal };
  for await (const page of watchEventPages(client, from, { maxRetryMs: 5_000, onRetry })) {
    lastFailure = undefined;
    show.print(page);
    // A consumer that is slower than the feed must not fill the memory.
    await terminal.flush();
  }
  return EXIT.done;
}
