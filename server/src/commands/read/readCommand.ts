import { type Client, createClient, isAssayError, listAllVaults } from '@assay/client';
import { type FlagValues, readWholeNumber } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import type { Screen } from '../../terminal/screen.ts';
import { type Path, PathError, parsePath } from '../../terminal/select.ts';
import type { Command, Terminal } from '../command.ts';
import { type CommandDescription, defineWith } from './commandSpec.ts';
import { findDemoUrl } from './demo.ts';
import { EXIT, type ExitCode, READ_EXITS } from './exitCodes.ts';
import {
  describeReadFailure,
  type ReadFailure,
  sanitizeServerText,
  unknownFamily,
} from './failures.ts';
import { type Form, type Forms, printForms } from './forms.ts';
import { lightFetch } from './lightFetch.ts';
import { watchForms } from './watch.ts';

/** The default address of a server. */
export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** A command that reads from a server: its request and its three output formats. */
export interface ReadSpec<Args, Answer> extends CommandDescription<Args> {
  /** The slug that a 404 refers to. */
  family?(args: Args): string | undefined;
  ask(client: Client, args: Args): Promise<Answer>;
  json(answer: Answer): unknown;
  csv(answer: Answer): readonly string[];
  show(answer: Answer, screen: Screen, args: Args): readonly string[];
  /** What a reader must know besides the output: written to standard error. */
  notes?(answer: Answer, args: Args): readonly string[];
}

export const READ_FLAGS = {
  url: { value: 'URL', text: `Server URL (default $ASSAY_URL, else ${DEFAULT_URL})` },
  json: { text: 'Print the response as JSON: amounts in base units' },
  csv: { text: 'Print CSV rows: amounts in tokens, exact' },
  select: { value: 'PATH', text: "Values from the JSON, such as '.[0].slug' or '.[].slug'" },
} as const;

const WATCH_FLAG = {
  watch: {
    value: 'SECONDS',
    optional: true,
    text: 'Repeat until Ctrl+C, every 5 seconds by default',
  },
} as const;
const WATCH_SECONDS = 5;
const MAX_WATCH_SECONDS = 86_400;

/** The shared options of read commands. */
export interface ReadSettings {
  /** Undefined: the URL of the environment, or the default. */
  readonly url: string | undefined;
  readonly form: Form;
  /** Selects from the JSON; undefined: the entire response. */
  readonly select: Path | undefined;
}

interface WatchedSettings extends ReadSettings {
  /** Seconds between reads; undefined: read once. */
  readonly watch: number | undefined;
}

export function defineRead<Args, Answer>(spec: ReadSpec<Args, Answer>): Command {
  return defineWith<Args, WatchedSettings>(spec, {
    flags: { ...READ_FLAGS, ...WATCH_FLAG },
    exits: READ_EXITS,
    read: (flags) => ({ ...readSettings(flags), watch: readWatch(flags) }),
    run: (args, terminal) => run(spec, args, terminal),
  });
}

async function run<Args, Answer>(
  spec: ReadSpec<Args, Answer>,
  args: Args & WatchedSettings,
  terminal: Terminal,
): Promise<number> {
  const client = openClient(args, terminal);
  const ask = async (): Promise<Forms> => {
    const answer = await spec.ask(client, args);
    for (const note of spec.notes?.(answer, args) ?? []) terminal.errors.write(`assay: ${note}\n`);
    return {
      json: () => spec.json(answer),
      csv: () => spec.csv(answer),
      show: (screen) => spec.show(answer, screen, args),
    };
  };
  const explained = (error: unknown) => explain(error, client, spec.family?.(args));
  if (args.watch !== undefined) {
    return watchForms({ ...args, seconds: args.watch, terminal, ask, explain: explained });
  }
  try {
    printForms(args, terminal, await ask());
    return EXIT.done;
  } catch (error) {
    return printFailure(await explained(error), terminal);
  }
}

export function readSettings(flags: FlagValues): ReadSettings {
  if (flags.has('json') && flags.has('csv')) {
    throw new UsageError('use either --json or --csv, not both');
  }
  if (flags.has('select') && flags.has('csv')) {
    throw new UsageError('use either --select or --csv, not both: --select reads the JSON');
  }
  const form = flags.has('json') ? 'json' : flags.has('csv') ? 'csv' : 'table';
  return { url: flags.get('url'), form, select: readPath(flags.get('select')) };
}

function readPath(text: string | undefined): Path | undefined {
  try {
    return text === undefined ? undefined : parsePath(text);
  } catch (error) {
    throw new UsageError(`--select: ${(error as PathError).message}`);
  }
}

function readWatch(flags: FlagValues): number | undefined {
  if (flags.get('watch') === '') return WATCH_SECONDS;
  return readWholeNumber(flags, 'watch', { from: 1, to: MAX_WATCH_SECONDS });
}

export function openClient(
  { url }: Pick<ReadSettings, 'url'>,
  { env }: Pick<Terminal, 'env'>,
): Client {
  const asked = url ?? (env.ASSAY_URL || findDemoUrl() || DEFAULT_URL);
  try {
    // A person is waiting: report a long Retry-After instead of waiting for it.
    return createClient({
      ...{ url: asked, timeoutMs: 20_000, retries: 2, maxWaitMs: 3_000, cacheSize: 0 },
      fetch: lightFetch,
    });
  } catch {
    const name = url === undefined ? 'ASSAY_URL' : '--url';
    throw new UsageError(`${name} must be the URL of a server, such as ${DEFAULT_URL}`);
  }
}

export function printFailure({ text, exitCode }: ReadFailure, terminal: Terminal): ExitCode {
  terminal.errors.write(`assay: ${text}\n`);
  return exitCode;
}

export async function explain(
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
  if (error instanceof PathError) {
    return { text: `--select: ${sanitizeServerText(error.message)}`, exitCode: EXIT.usage };
  }
  const found = describeReadFailure(error, client.url);
  if (found === undefined) throw error;
  return found;
}

/** Returns the required argument, or throws UsageError with an example. */
export function needed(argument: string | undefined, what: string, example: string): string {
  if (argument !== undefined && argument !== '') return argument;
  throw new UsageError(`specify a ${what}, for example: assay ${example}`);
}
