import type { Flag, FlagValues } from '../cli/flags.ts';
import type { OutputStream } from '../terminal/screen.ts';

/** All of one command but its name and summary, which the list in `index.ts` has. */
export interface CommandSpec<Args> {
  readonly usage: string;
  readonly details: string;
  /** Whole lines to try. */
  readonly examples?: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** A word that follows the command, besides its flags. */
  readonly argument?: string;
  /** Throws UsageError where the words cannot be followed. */
  read(flags: FlagValues, argument: string | undefined): Args;
  /** The result is the exit code. */
  run(args: Args, terminal: Terminal): Promise<number>;
}

export type Command = CommandSpec<unknown>;

/** Where a command runs: what it reads, and where it prints. */
export interface Terminal {
  /** The name of the configuration file. */
  readonly config: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & OutputStream;
  readonly errors: NodeJS.WriteStream;
  readonly print: (line: string) => void;
}

export const CONFIG: Flag = { value: 'FILE', text: 'configuration file (default assay.yaml)' };

/** What a command reads it also runs with: nobody else looks at its arguments. */
export function defineCommand<Args>(spec: CommandSpec<Args>): Command {
  return spec as Command;
}

/** For commands that take nothing but the configuration. */
export const ALONE = { flags: { config: CONFIG }, read: () => ({}) } as const;
