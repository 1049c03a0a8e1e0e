import { runOnServer } from '../cli/adminClient.ts';
import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import { FolderLocked } from '../store/folderLock.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import type { Command, CommandSpec, Terminal } from './command.ts';
import { configOf } from './configOf.ts';

/** What an operator's command works on: this process's own, or the running server's. */
export interface StoreContext {
  readonly config: Config;
  readonly store: Store;
  readonly log?: Log;
  /** Aborted when the operator has gone. */
  readonly signal?: AbortSignal;
}

/** A command on the store, that works beside a running server too; its arguments and lines pass as JSON and text. */
export interface StoreCommand<Args = never> {
  readonly name: string;
  runOn(context: StoreContext, args: Args, print: (line: string) => void): Promise<number>;
}

type Words<Args> = Omit<CommandSpec<Args>, 'run'>;

/** The command line's side of a store command: where a running server has the folder, that server runs it. */
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
