import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Child, startChild, startChildUnder } from '../../test/childProcess.ts';
import { FolderLocked, FolderLockedElsewhere, lockFolder } from './folderLock.ts';
import { type Holder, type Machine, thisMachine } from './lockHolder.ts';

let folder: string;
let children: Child[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-lock-'));
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

function start(machine: Partial<Machine> = {}): Child {
  const child = startChild('lock.ts', folder, JSON.stringify(machine));
  children.push(child);
  return child;
}

/** A process with its own process IDs, host name, and folder for temporary files, as in a container. */
function startContainer(store: string, host: string): Child {
  const script = `hostname ${host} && mkdir -p ${folder}/tmp && mount -t tmpfs tmpfs ${folder}/tmp &&
    export TMPDIR=${folder}/tmp && exec "$@"`;
  const child = startChildUnder([...UNSHARE, 'sh', '-c', script, 'sh'], 'lock.ts', store);
  children.push(child);
  return child;
}

const UNSHARE = [
  'unshare',
  ...['--user', '--map-root-user', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc'],
];
const hasNamespaces = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true']).status === 0;

async function readLock(number: number): Promise<Holder> {
  return JSON.parse(await readFile(join(folder, 'lock', String(number)), 'utf8')) as Holder;
}

async function writeLock(number: number, holder: object): Promise<void> {
  await mkdir(join(folder, 'lock'), { recursive: true });
  await writeFile(join(folder, 'lock', String(number)), JSON.stringify(holder));
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

  test('behavior: a killed holder blocks no other process', async () => {
    for (let round = 0; round < 3; round++) {
      const holder = start();
      expect(await holder.nextLine()).toBe('locked');
      await holder.kill();
    }
    const lock = await lockFolder(folder);
    // The files of the killed holders are gone: one number and one socket remain.
    const left = await readdir(join(folder, 'lock'));
    expect(left.filter((name) => /^\d+$/.test(name))).toEqual(['4']);
    expect(left.filter((name) => name.endsWith('.sock'))).toHaveLength(1);
    await lock.release();
  });

  test('behavior: a reused process ID, or this process’s own, proves nothing', async () => {
    await mkdir(join(folder, 'lock'));
    const gone = { pid: process.pid, host: hostname(), socket: 'gone.sock' };
    await writeFile(join(folder, 'lock', '1'), JSON.stringify(gone));
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('behavior: an incomplete lock file blocks no process', async () => {
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', '7'), '{"pid":');
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('behavior: of many that race for a dead lock, one wins', async () => {
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

  test('behavior: of several processes that race for a dead lock, one wins', async () => {
    const dead = start();
    expect(await dead.nextLine()).toBe('locked');
    await dead.kill();
    const racers = [start(), start(), start(), start()];
    const lines = await Promise.all(racers.map((racer) => racer.nextLine()));
    expect(lines.filter((line) => line === 'locked')).toHaveLength(1);
  });

  test('behavior: a path too long for a socket is still locked', async () => {
    const deep = join(folder, 'x'.repeat(120));
    const lock = await lockFolder(deep);
    await expect(lockFolder(deep)).rejects.toBeInstanceOf(FolderLocked);
    await lock.release();
  });

  test('behavior: a process ID that now belongs to another process proves nothing', async () => {
    const holder = start({ pid: process.pid, started: '1' });
    expect(await holder.nextLine()).toBe('locked');
    await holder.kill();
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('error: a running process that cannot be reached through its socket', async () => {
    const holder = start();
    expect(await holder.nextLine()).toBe('locked');
    await rm(join(folder, 'lock', (await readLock(1)).socket));
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked);
  });
});

describe('lockFolder across machines', () => {
  const elsewhere = { host: 'other-host', boot: '00000000-0000-0000-0000-000000000000' };

  // A process on another machine looks the same whether it is alive or not: a socket that does not accept.
  test('error: the lock of another host is not taken over, and the message explains how to release it', async () => {
    const holder = start({ ...elsewhere, pid: 4711 });
    expect(await holder.nextLine()).toBe('locked');
    await holder.kill();
    const { at } = await readLock(1);
    const since = new Date(at!).toISOString();
    await expect(lockFolder(folder)).rejects.toThrow(
      new FolderLockedElsewhere(folder, join(folder, 'lock'), await readLock(1)),
    );
    const second = start();
    expect(await second.nextLine()).toBe(
      `the store folder ${folder} is locked by process 4711 of host other-host since ${since}, and from here (host ${hostname()}) nobody can tell whether that process still runs: two processes would destroy the data. Stop it there. If it is surely gone (its machine or container was deleted or crashed), free the folder with: rm -r '${join(folder, 'lock')}'`,
    );
    await rm(join(folder, 'lock'), { recursive: true });
    const freed = await lockFolder(folder);
    await freed.release();
  });

  test('behavior: a lock that another host released is free', async () => {
    const lock = await lockFolder(folder, { ...thisMachine(), ...elsewhere });
    await lock.release();
    const here = await lockFolder(folder);
    await here.release();
  });

  test('error: another kernel under the same host name, while this one was running', async () => {
    const holder = start({ boot: elsewhere.boot });
    expect(await holder.nextLine()).toBe('locked');
    await holder.kill();
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLockedElsewhere);
  });

  test('behavior: after a restart of the machine', async () => {
    const holder = start();
    expect(await holder.nextLine()).toBe('locked');
    await holder.kill();
    const restarted = { ...thisMachine(), boot: elsewhere.boot, bootedAt: Date.now() + 1 };
    const lock = await lockFolder(folder, restarted);
    await lock.release();
  });

  test('error: after a restart, a folder that other machines can reach', async () => {
    await writeLock(1, { ...thisMachine(), socket: 'gone.sock', ownDisk: false, at: 1 });
    const restarted = { ...thisMachine(), boot: elsewhere.boot };
    await expect(lockFolder(folder, restarted)).rejects.toBeInstanceOf(FolderLockedElsewhere);
  });

  test('behavior: a lock of the first builds that they released on another host', async () => {
    await writeLock(3, { pid: 1, host: 'other-host', socket: 'gone.sock' });
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('behavior: a holder whose lock was removed by hand does not release the next holder’s lock', async () => {
    const first = await lockFolder(folder);
    await rm(join(folder, 'lock'), { recursive: true });
    const second = await lockFolder(folder);
    await first.release();
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked);
    await second.release();
  });
});

describe.skipIf(!hasNamespaces)('lockFolder across containers', () => {
  test('behavior: a killed container does not block the folder, a running one does', async () => {
    const first = startContainer(folder, 'first');
    expect(await first.nextLine()).toBe('locked');
    await first.kill();
    const second = startContainer(folder, 'second');
    expect(await second.nextLine()).toBe('locked');
    const third = startContainer(folder, 'third');
    expect(await third.nextLine()).toMatch(/is in use by process 1 on second: stop it/);
  });

  test('error: a container whose socket cannot be reached', async () => {
    const deep = join(folder, 'x'.repeat(120));
    const first = startContainer(deep, 'first');
    expect(await first.nextLine()).toBe('locked');
    const second = startContainer(deep, 'second');
    expect(await second.nextLine()).toMatch(/is locked by process 1 of host first since/);
  });
});
