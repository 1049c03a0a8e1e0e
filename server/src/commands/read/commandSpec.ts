import type { Flag, FlagValues } from '../../cli/flags.ts';
import { type Command, defineCommand, type Terminal } from '../command.ts';

/** The description of a command that reads from a server. */
export interface CommandDescription<Args> {
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
  description: CommandDescription<Args>,
  common: {
    readonly flags: Readonly<Record<string, Flag>>;
    readonly exits: string;
    readonly read: (flags: FlagValues) => Settings;
    readonly run: (args: Args & Settings, terminal: Terminal) => Promise<number>;
  },
): Command {
  return defineCommand<Args & Settings>({
    usage: `assay ${description.usage} [flags]`,
    details: [description.details, common.exits].filter((text) => text !== '').join('\n'),
    examples: description.examples.map((example) => `assay ${example}`),
    flags: { ...description.flags, ...common.flags },
    ...(description.argument !== undefined && { argument: description.argument }),
    read: (flags, argument) => ({ ...common.read(flags), ...description.read(flags, argument) }),
    ...(description.page && { page: description.page }),
    run: common.run,
  });
}
