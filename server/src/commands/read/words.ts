import type { Flag, FlagValues } from '../../cli/flags.ts';
import { type Command, defineCommand, type Terminal } from '../command.ts';

/** The description of a command that reads from a server. */
export interface ReadWords<Args> {
  /** After `assay`, without the shared flags. */
  readonly usage: string;
  readonly details: string;
  /** After `assay`. */
  readonly examples: readonly string[];
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly argument?: string;
  read(flags: FlagValues, argument: string | undefined): Args;
  /** Path and query of the dashboard page that shows the same data. */
  page?(args: Args): string;
}

/** Adds the shared parts of read commands. */
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
    details: [words.details, common.exits].filter((text) => text !== '').join('\n'),
    examples: words.examples.map((example) => `assay ${example}`),
    flags: { ...words.flags, ...common.flags },
    ...(words.argument !== undefined && { argument: words.argument }),
    read: (flags, argument) => ({ ...common.read(flags), ...words.read(flags, argument) }),
    ...(words.page && { page: words.page }),
    run: common.run,
  });
}
