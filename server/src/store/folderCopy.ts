import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** A copy of a folder in use: most files are copied while writers continue, the rest while they wait. */
export interface FolderCopy {
  /**
   * Copies the present files; `finish` copies those that change meanwhile again. Throws the signal's reason if aborted.
   */
  begin(signal?: AbortSignal): Promise<void>;
  /** Nothing may write to the folder while this runs; afterwards, the copy equals the folder. */
  finish(): Promise<{ readonly files: number; readonly bytes: number }>;
}

interface Seen {
  readonly size: number;
  readonly changedAt: number;
  readonly seenAt: number;
}

/** Two writes may have the same time, so a file that was written this shortly before it was read is copied again. */
const TIME_GRAIN_MS = 1_000;

export function createFolderCopy(from: string, to: string): FolderCopy {
  const copied = new Map<string, Seen>();
  return { begin, finish };

  async function begin(signal?: AbortSignal): Promise<void> {
    try {
      for (const file of await filesIn(from)) {
        signal?.throwIfAborted();
        await copy(file);
      }
    } catch (error) {
      // The file or folder disappeared while it was read; `finish` handles the rest.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  async function finish(): Promise<{ files: number; bytes: number }> {
    const files = await filesIn(from);
    for (const file of files) if (await hasChanged(file)) await copy(file);
    const here = new Set(files);
    for (const file of copied.keys()) if (!here.has(file)) await rm(join(to, file));
    await makeFolders();
    const bytes = files.reduce((sum, file) => sum + copied.get(file)!.size, 0);
    return { files: files.length, bytes };
  }

  async function copy(file: string): Promise<void> {
    // Read first, so that a write during the copy counts as a change.
    const seenAt = Date.now();
    const { size, mtimeMs } = await stat(join(from, file));
    await mkdir(dirname(join(to, file)), { recursive: true });
    // Shares the blocks instead if the file system can.
    await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE);
    copied.set(file, { size, changedAt: mtimeMs, seenAt });
  }

  async function hasChanged(file: string): Promise<boolean> {
    const seen = copied.get(file);
    if (seen === undefined || seen.changedAt > seen.seenAt - TIME_GRAIN_MS) return true;
    const { size, mtimeMs } = await stat(join(from, file));
    return size !== seen.size || mtimeMs !== seen.changedAt;
  }

  /** Empty folders too, because a database needs them. */
  async function makeFolders(): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
      if (!entry.isDirectory()) continue;
      await mkdir(join(to, relative(from, join(entry.parentPath, entry.name))), {
        recursive: true,
      });
    }
  }
}

/** Returns the bytes of all files in a folder that may change meanwhile. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const file of await filesIn(folder)) {
    bytes += (await stat(join(folder, file)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

/** Flushes all files of a folder to the disk, so that they survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  for (const path of ['.', ...(await readdir(folder, { recursive: true }))]) {
    const handle = await open(join(folder, path));
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
