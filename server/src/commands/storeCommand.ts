import { runOnServer } from '../cli/adminClient.ts';
import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import { FolderLocked } from '../store/folderLock.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import type { Command, CommandSpec, Terminal } from './command.ts';
import { configOf } from './configOf.ts';

/** What an operator's command works on: the store of this process or of the running server. */
export interface StoreContext {
  readonly config: Config;
  readonly store: Store;
  readonly log?: Log;
  /** Aborted when the operator disconnects. */
  readonly signal?: AbortSignal;
}

/** A command on the store that also works while a server runs; its arguments are sent as JSON, its output as text. */
export interface StoreCommand<Args = never> {
  readonly name: string;
  runOn(context: StoreContext, args: Args, print: (line: string) => void): Promise<number>;
}

type Words<Args> = Omit<CommandSpec<Args>, 'run'>;

/** The command line's side of a store command: if a server uses the folder, that server executes it. */
export function onStore<Args>(own: StoreCommand<Args>, words: Words<Args>): Command {
  const spec: CommandSpec<Args> = {
    ...words,
    run: (args, terminal) => runOnStore(own, args, terminal),
  };
  return spec as Command;
}

export async function runOnStore<Args>(
  own: StoreCommand<Args>,
  args: Args,
  terminal: Terminal,
): Promise<number> {
  const config = configOf(terminal);
  const { print } = terminal;
  try {
    const store = await openStore(config.store);
    try {
      return await own.runOn({ config, store }, args, print);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof FolderLocked)) throw error;
    const { folder, pid } = error;
    const printError = (line: string) => terminal.errors.write(`${line}\n`);
    return runOnServer({ folder, pid, name: own.name, args, print, printError });
  }
}
