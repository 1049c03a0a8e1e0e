import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CopyRefused, type StoreCopy } from './storeCopy.ts';

/** A complete backup. */
export interface Backup {
  readonly name: string;
  /** Start time, in Unix seconds. */
  readonly at: number;
}

/**
 * Sorts by time. The names of unfinished backups, and of those being removed, have an extra suffix and do not match.
 */
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const UNFINISHED = /^\d{8}T\d{6}Z\.(draft-[0-9a-f]{8}|removed)$/;

/** Lists complete backups, oldest first. Returns an empty list if the folder does not exist. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CopyRefused(
      `${folder} cannot be read (${error.code}): name a folder where the server may write in backup.folder`,
    );
  });
  return names.sort().flatMap((name) => {
    const [, ...parts] = NAME.exec(name) ?? [];
    const [year, month, day, hour, minute, second] = parts.map(Number);
    if (second === undefined) return [];
    return [{ name, at: Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000 }];
  });
}

/** Returns the newest backup that is not dated in the future, because a clock may have been wrong. */
export function newestBackup(backups: readonly Backup[], now: number): Backup | undefined {
  return backups.findLast(({ at }) => at <= now);
}

/** Returns the age of the newest backup in seconds; undefined if there is none. */
export async function ageOfNewest(folder: string, now: number): Promise<number | undefined> {
  const newest = newestBackup(await listBackups(folder), now);
  return newest && now - newest.at;
}

/**
 * Makes a backup and then removes the oldest ones, down to `keep`. A crash at any point leaves complete backups and
 * unfinished ones; the next call removes the unfinished.
 */
export async function makeBackup(options: {
  readonly folder: string;
  readonly keep: number;
  /** Unix seconds. */
  readonly now: number;
  copyTo(folder: string): Promise<StoreCopy>;
}): Promise<Backup & StoreCopy> {
  const { folder, keep, now, copyTo } = options;
  const made = { name: nameAt(now), at: now };
  await writing(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(folder);
  });
  const copy = await copyTo(join(folder, made.name));
  await writing(folder, async () => {
    // The new backup stays, even if other names are dated later because of a wrong clock.
    const others = (await listBackups(folder)).filter(({ name }) => name !== made.name);
    for (const { name } of others.slice(0, Math.max(0, others.length - keep + 1))) {
      await rename(join(folder, name), join(folder, `${name}.removed`));
    }
    await removeUnfinished(folder);
  });
  return { ...made, ...copy };
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (UNFINISHED.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || error instanceof CopyRefused) throw error;
    throw new CopyRefused(
      `${folder} cannot be written (${code}): name a folder where the server may write in backup.folder`,
    );
  }
}

function nameAt(now: number): string {
  return new Date(now * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
}
