import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolderCopy, folderSize, syncFolder } from './folderCopy.ts';
import { readFreeBytes } from './freeSpace.ts';
import { dataFolder } from './pgliteFolder.ts';

/** The result of copying the embedded database. */
export interface StoreCopy {
  readonly files: number;
  readonly bytes: number;
  /** How long reads and writes were blocked. */
  readonly heldMs: number;
}

/** A backup cannot be written to its destination; the message contains the fix. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** How a copy is made. */
export interface CopyOptions {
  /** Aborts the copy. */
  readonly signal?: AbortSignal;
  /** Bytes that must stay free on its disk: a full disk stops an embedded database on it. Default: 0. */
  readonly reserveBytes?: number;
}

/**
 * Copies the files of a database into a new store folder, which appears only once it is complete. `alone` runs its work
 * while nothing else uses the database; `settle` makes it write its pending changes to the files.
 */
export async function copyStore(options: {
  readonly data: string;
  readonly to: string;
  alone<T>(work: () => Promise<T>): Promise<T>;
  settle(): Promise<unknown>;
  readonly how?: CopyOptions;
}): Promise<StoreCopy> {
  const { data, to, alone, settle, how = {} } = options;
  await refuseTaken(to);
  const draft = `${to}.draft-${randomUUID().slice(0, 8)}`;
  try {
    await mkdir(dirname(to), { recursive: true });
    // Readable by the operator only, because the ledger lists payers and purchases.
    await mkdir(draft, { mode: 0o700 });
    await refuseFullDisk(draft, await folderSize(data), how.reserveBytes ?? 0);
    const copy = createFolderCopy(data, dataFolder(draft));
    await copy.begin(how.signal);
    const done = await alone(async () => {
      const began = performance.now();
      await settle();
      const counts = await copy.finish();
      return { ...counts, heldMs: performance.now() - began };
    });
    // Only data that is on the disk may get the name of a complete copy.
    await syncFolder(draft);
    await rename(draft, to);
    return done;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || error instanceof CopyRefused) throw error;
    throw new CopyRefused(
      `${to} cannot be written (${code}): name a folder where the server may write, with enough room`,
    );
  }
}

async function refuseFullDisk(folder: string, size: number, reserve: number): Promise<void> {
  const free = await readFreeBytes(folder);
  if (free - size >= reserve) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new CopyRefused(
    `${dirname(folder)} has ${megabytes(free)} free; a copy takes ${megabytes(size)} and must leave ${megabytes(reserve)}: make room, or name a folder on another disk`,
  );
}

async function refuseTaken(to: string): Promise<void> {
  const names = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CopyRefused(`${to} is not a folder that can be read: name another`);
  });
  if (names.length > 0) throw new CopyRefused(`${to} is not empty: name a new folder`);
}
