import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listBackups, makeBackup, newestBackup } from './backupFolder.ts';
import { CopyRefused, type StoreCopy } from './storeCopy.ts';

const DAY = 86_400;
/** 2026-11-18T06:00:00Z. */
const NOW = 1_794_981_600;
const COPY: StoreCopy = { files: 1, bytes: 4, heldMs: 1 };

describe('makeBackup', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-backups-'));
    folder = join(root, 'backups');
  });
  afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 20 }));

  async function copyTo(to: string): Promise<StoreCopy> {
    await mkdir(to);
    await writeFile(join(to, 'data'), 'rows');
    return COPY;
  }

  const make = (now: number, keep = 3, copy = copyTo) =>
    makeBackup({ folder, keep, now, copyTo: copy });

  test('default: names sort by time, and the newest are kept', async () => {
    expect(await listBackups(folder)).toEqual([]);
    expect(await make(NOW)).toEqual({ name: '20261118T060000Z', at: NOW, ...COPY });
    for (const days of [1, 2, 3, 4]) await make(NOW + days * DAY);
    expect(await readdir(folder)).toEqual([
      ...['20261120T060000Z', '20261121T060000Z', '20261122T060000Z'],
    ]);
    const backups = await listBackups(folder);
    expect(backups.map(({ at }) => at)).toEqual([2, 3, 4].map((days) => NOW + days * DAY));
    expect(newestBackup(backups, NOW + 5 * DAY)).toEqual(backups[2]);
  });

  test('behavior: the oldest stays until the new one is complete', async () => {
    await make(NOW, 1);
    const seen: string[][] = [];
    await make(NOW + DAY, 1, async (to) => {
      seen.push(await readdir(folder));
      return copyTo(to);
    });
    expect(seen).toEqual([['20261118T060000Z']]);
    expect(await readdir(folder)).toEqual(['20261119T060000Z']);
    const failed = make(NOW + 2 * DAY, 1, () => Promise.reject(new CopyRefused('no room')));
    await expect(failed).rejects.toThrow('no room');
    expect(await readdir(folder)).toEqual(['20261119T060000Z']);
  });

  test('behavior: an unfinished backup of a crashed run is not counted, and the next run removes it', async () => {
    await make(NOW);
    const left = ['20261119T060000Z.draft-0123abcd', '20261117T060000Z.removed'];
    for (const name of left) await copyTo(join(folder, name));
    await copyTo(join(folder, 'of the operator'));
    expect((await listBackups(folder)).map(({ name }) => name)).toEqual(['20261118T060000Z']);
    await make(NOW + DAY);
    expect(await readdir(folder)).toEqual([
      ...['20261118T060000Z', '20261119T060000Z', 'of the operator'],
    ]);
  });

  test('behavior: a backup from a clock that was ahead neither counts as the newest nor displaces the new one', async () => {
    await make(NOW + 100 * DAY);
    const ahead = await listBackups(folder);
    expect(newestBackup(ahead, NOW)).toBeUndefined();
    await make(NOW, 1);
    expect(await readdir(folder)).toEqual(['20261118T060000Z']);
  });

  test('error: an unusable folder', async () => {
    await writeFile(folder, '');
    await expect(make(NOW)).rejects.toThrow(CopyRefused);
    await expect(listBackups(folder)).rejects.toThrow(/ENOTDIR.*backup\.folder/);
  });
});
