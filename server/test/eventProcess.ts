import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { Config, StoreConfig } from '../src/config/config.ts';
import { type Child, startChild } from './childProcess.ts';
import type { EventServer } from './eventServer.ts';

export interface EventProcessOptions {
  readonly store: StoreConfig;
  readonly config: Config;
}

/** Serves the feed from its own process. `close` kills it with `kill -9`. */
export async function startServerProcess(
  options: EventProcessOptions,
  onError: (error: unknown) => void,
): Promise<EventServer> {
  const child = await start('serve', options);
  const url = await child.nextLine();
  if (url === undefined) throw new Error(child.errors());
  return { url, close: () => kill(child, onError) };
}

/** Indexes in its own process. `stop` kills it with `kill -9`. */
export async function startIndexerProcess(
  options: EventProcessOptions,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  const child = await start('index', options);
  return { stop: () => kill(child, onError) };
}

async function start(role: 'serve' | 'index', options: EventProcessOptions): Promise<Child> {
  const file = join(options.store.folder, `${role}.options`);
  await writeFile(file, serialize(options));
  return startChild('events.ts', role, file);
}

async function kill(child: Child, onError: (error: unknown) => void): Promise<void> {
  await child.kill();
  if (child.errors() !== '') onError(child.errors());
}
