import type { Flag, FlagValues } from '../cli/flags.ts';
import type { OutputStream } from '../terminal/screen.ts';

/** A command without its name and summary, which are in `index.ts`. */
export interface CommandSpec<Args> {
  readonly usage: string;
  readonly details: string;
  /** Complete command lines to try. */
  readonly examples?: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** The argument after the command. */
  readonly argument?: string;
  /** The allowed values of the argument, if they are few. */
  readonly choices?: readonly string[];
  /** Throws UsageError if the arguments are invalid. */
  read(flags: FlagValues, argument: string | undefined): Args;
  /** Replaces `read` and gets all arguments: for a command that takes another command as its argument. */
  readLine?(words: readonly string[]): Promise<Args>;
  /** Path and query of the dashboard page that shows the same data. */
  page?(args: Args): string;
  /** Returns the exit code. */
  run(args: Args, terminal: Terminal): Promise<number>;
}

export type Command = CommandSpec<unknown>;

/** The process's input, output, and environment. */
export interface Terminal {
  readonly config: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & OutputStream;
  readonly errors: NodeJS.WriteStream;
  readonly print: (line: string) => void;
  /** Resolves when all output is written; rejects with OutputLost. */
  readonly flush: () => Promise<void>;
}

export const CONFIG: Flag = { value: 'FILE', text: 'Configuration file (default assay.yaml)' };

/** Erases the type of the arguments: only the command itself uses them. */
export function defineCommand<Args>(spec: CommandSpec<Args>): Command {
  return spec as Command;
}

/** For commands whose only flag is the configuration file. */
export const ALONE = { flags: { config: CONFIG }, read: () => ({}) } as const;
