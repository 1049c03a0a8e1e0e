import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Child, startChild } from '../../test/childProcess.ts';
import { FolderLocked, lockFolder } from './folderLock.ts';

let folder: string;
let children: Child[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-lock-'));
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  await rm(folder, { recursive: true, force: true });
});

function start(): Child {
  const child = startChild('lock.ts', folder);
  children.push(child);
  return child;
}

describe('lockFolder', () => {
  test('default', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked);
    await lock.release();
    const again = await lockFolder(folder);
    await again.release();
  });

  test('error: names the folder and the holder', async () => {
    const holder = start();
    expect(await holder.nextLine()).toBe('locked');
    const second = start();
    expect(await second.nextLine()).toBe(
      `the store folder ${folder} is in use by process ${holder.pid}: stop it, or choose another folder`,
    );
    expect(await second.exit).toBe(0);
  });

  test('behavior: a killed holder blocks nobody', async () => {
    for (let round = 0; round < 3; round++) {
      const holder = start();
      expect(await holder.nextLine()).toBe('locked');
      await holder.kill();
    }
    const lock = await lockFolder(folder);
    // What the killed ones left is gone: one number, one socket.
    const left = await readdir(join(folder, 'lock'));
    expect(left.filter((name) => /^\d+$/.test(name))).toEqual(['4']);
    expect(left.filter((name) => name.endsWith('.sock'))).toHaveLength(1);
    await lock.release();
  });

  test('behavior: a process id that lives again, or is our own, proves nothing', async () => {
    await mkdir(join(folder, 'lock'));
    const gone = { pid: process.pid, host: hostname(), socket: 'gone.sock' };
    await writeFile(join(folder, 'lock', '1'), JSON.stringify(gone));
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('behavior: half a lock file blocks nobody', async () => {
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', '7'), '{"pid":');
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('behavior: of many who race over a dead lock one wins', async () => {
    const dead = start();
    expect(await dead.nextLine()).toBe('locked');
    await dead.kill();
    for (let round = 0; round < 5; round++) {
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, () => lockFolder(folder)),
      );
      const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const attempt of attempts) {
        if (attempt.status === 'rejected') expect(attempt.reason).toBeInstanceOf(FolderLocked);
      }
      await won[0]!.value.release();
    }
  });

  test('behavior: of several processes that race over a dead lock one wins', async () => {
    const dead = start();
    expect(await dead.nextLine()).toBe('locked');
    await dead.kill();
    const racers = [start(), start(), start(), start()];
    const lines = await Promise.all(racers.map((racer) => racer.nextLine()));
    expect(lines.filter((line) => line === 'locked')).toHaveLength(1);
  });

  test('behavior: a path too long for a socket is locked all the same', async () => {
    const deep = join(folder, 'x'.repeat(120));
    const lock = await lockFolder(deep);
    await expect(lockFolder(deep)).rejects.toBeInstanceOf(FolderLocked);
    await lock.release();
  });
});
