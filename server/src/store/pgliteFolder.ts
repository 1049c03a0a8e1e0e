import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startPgliteThread } from './pgliteThread.ts';

/** The embedded database's own files within the store folder. */
export function dataFolder(folder: string): string {
  return join(folder, 'data');
}

/**
 * Makes the database's files in an empty store folder. Making them from nothing takes some 5 s and 900 MB, a copy
 * of a prepared template 0.2 s; so the first one is kept as the template, where that can be written.
 */
export async function createDataFolder(folder: string): Promise<void> {
  const data = dataFolder(folder);
  for (const name of await readdir(folder)) {
    if (name.startsWith('data.draft-')) await rm(join(folder, name), { recursive: true });
  }
  if (existsSync(data)) return;
  // Where the template cannot be written or read, making one's own takes longer and that is all.
  const template = await ensureTemplate().catch(() => undefined);
  const copied =
    template !== undefined &&
    (await appear(data, (draft) => cp(template, draft, { recursive: true })).then(
      () => true,
      () => false,
    ));
  if (!copied) await appear(data, initialise);
}

/** The template for this version of PGlite, made when missing. The build calls this, so that a start finds it. */
export async function ensureTemplate(): Promise<string> {
  const template = templateFolder();
  if (!existsSync(template)) await appear(template, initialise);
  return template;
}

function templateFolder(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@electric-sql/pglite');
  const { version } = require(join(dirname(entry), '..', 'package.json')) as { version: string };
  const modules = entry.slice(0, entry.lastIndexOf('@electric-sql'));
  return join(modules, '.cache', 'assay', `pglite-${version}`);
}

// The memory of the first creation goes with its thread.
async function initialise(folder: string): Promise<void> {
  const thread = await startPgliteThread(folder);
  await thread.stop();
}

// A process may be killed at any point: a folder gets its name only once it is complete.
async function appear(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.draft-${randomUUID().slice(0, 8)}`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
