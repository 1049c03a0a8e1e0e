import type { Flag, FlagValues } from '../../cli/flags.ts';
import { type Command, defineCommand, type Terminal } from '../command.ts';

/** What a command that asks a server says of itself. */
export interface ReadWords<Args> {
  /** After `assay`, without the flags that all have. */
  readonly usage: string;
  readonly details: string;
  /** After `assay`. */
  readonly examples: readonly string[];
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly argument?: string;
  read(flags: FlagValues, argument: string | undefined): Args;
}

/** Adds what all such commands have in common. */
export function defineWith<Args, Settings>(
  words: ReadWords<Args>,
  common: {
    readonly flags: Readonly<Record<string, Flag>>;
    readonly exits: string;
    readonly read: (flags: FlagValues) => Settings;
    readonly run: (args: Args & Settings, terminal: Terminal) => Promise<number>;
  },
): Command {
  return defineCommand<Args & Settings>({
    usage: `assay ${words.usage} [flags]`,
    details: `${words.details}\n${common.exits}`,
    examples: words.examples.map((example) => `assay ${example}`),
    flags: { ...words.flags, ...common.flags },
    ...(words.argument !== undefined && { argument: words.argument }),
    read: (flags, argument) => ({ ...common.read(flags), ...words.read(flags, argument) }),
    run: common.run,
  });
}
