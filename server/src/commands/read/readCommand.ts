import { type Client, createClient, isAssayError, listAllVaults } from '@assay/client';
import type { FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { type Screen, screenOf } from '../../terminal/screen.ts';
import type { Command, Terminal } from '../command.ts';
import { EXIT, READ_EXITS } from './exitCodes.ts';
import { describeReadFailure, type ReadFailure, unknownFamily } from './failures.ts';
import { lightFetch } from './lightFetch.ts';
import { defineWith, type ReadWords } from './words.ts';

/** Where a server answers unless its file says otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** A command that reads from a server: how it asks, and the three forms in which it tells. */
export interface ReadSpec<Args, Answer> extends ReadWords<Args> {
  /** The slug that a 404 is about. */
  family?(args: Args): string | undefined;
  ask(client: Client, args: Args): Promise<Answer>;
  json(answer: Answer): unknown;
  csv(answer: Answer): readonly string[];
  show(answer: Answer, screen: Screen, args: Args): readonly string[];
}

export const READ_FLAGS = {
  url: { value: 'URL', text: `the server (default $ASSAY_URL, else ${DEFAULT_URL})` },
  json: { text: "the server's answer as JSON: amounts in base units" },
  csv: { text: 'rows for programs: amounts in whole tokens, exact' },
} as const;

/** What every such command is told. */
export interface ReadSettings {
  /** Undefined: that of the environment, or the usual one. */
  readonly url: string | undefined;
  readonly form: 'table' | 'json' | 'csv';
}

export function defineRead<Args, Answer>(spec: ReadSpec<Args, Answer>): Command {
  return defineWith<Args, ReadSettings>(spec, {
    flags: READ_FLAGS,
    exits: READ_EXITS,
    read: readSettings,
    run: (args, terminal) => run(spec, args, terminal),
  });
}

async function run<Args, Answer>(
  spec: ReadSpec<Args, Answer>,
  args: Args & ReadSettings,
  terminal: Terminal,
): Promise<number> {
  const client = openClient(args, terminal);
  try {
    const answer = await spec.ask(client, args);
    printAnswer(args.form, terminal, {
      json: () => spec.json(answer),
      csv: () => spec.csv(answer),
      show: (screen) => spec.show(answer, screen, args),
    });
    return EXIT.done;
  } catch (error) {
    return tell(await explain(error, client, spec.family?.(args)), terminal);
  }
}

export function readSettings(flags: FlagValues): ReadSettings {
  if (flags.has('json') && flags.has('csv')) {
    throw new UsageError('--json and --csv do not go together; keep one');
  }
  const form = flags.has('json') ? 'json' : flags.has('csv') ? 'csv' : 'table';
  return { url: flags.get('url'), form };
}

export function openClient({ url }: ReadSettings, { env }: Pick<Terminal, 'env'>): Client {
  const asked = url ?? (env.ASSAY_URL || DEFAULT_URL);
  try {
    // Somebody waits for it: a server that wants to be left alone for long is told of instead.
    return createClient({
      ...{ url: asked, timeoutMs: 20_000, retries: 2, maxWaitMs: 3_000, keep: 0 },
      fetch: lightFetch,
    });
  } catch {
    const name = url === undefined ? 'ASSAY_URL' : '--url';
    throw new UsageError(`${name} must be the address of a server, such as ${DEFAULT_URL}`);
  }
}

export interface Forms {
  json(): unknown;
  csv(): readonly string[];
  show(screen: Screen): readonly string[];
}

export function printAnswer(form: ReadSettings['form'], terminal: Terminal, forms: Forms): void {
  if (form === 'json') terminal.print(jsonText(forms.json()));
  else {
    const screen = screenOf(terminal.output, terminal.env);
    terminal.print((form === 'csv' ? forms.csv() : forms.show(screen)).join('\n'));
  }
}

/** The same value, in which nothing stands that a terminal would obey. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from({ length: char.length }, (_, i) => escaped(char.charCodeAt(i))).join(''),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

export function tell({ text, exitCode }: ReadFailure, terminal: Terminal): number {
  terminal.errors.write(`assay: ${text}\n`);
  return exitCode;
}

async function explain(
  error: unknown,
  client: Client,
  family: string | undefined,
): Promise<ReadFailure> {
  if (family !== undefined && isAssayError(error, 'problem') && error.status === 404) {
    const vaults = await listAllVaults(client).catch(() => undefined);
    if (vaults !== undefined)
      return unknownFamily(
        family,
        vaults.map(({ slug }) => slug),
      );
  }
  const found = describeReadFailure(error, client.url);
  if (found === undefined) throw error;
  return found;
}

/** The word without which a command does not know what to read. */
export function needed(argument: string | undefined, what: string, example: string): string {
  if (argument !== undefined && argument !== '') return argument;
  throw new UsageError(`say which ${what}, for example: assay ${example}`);
}
