import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  getHolderStatus,
  type Holder,
  isOwnDisk,
  type Machine,
  thisMachine,
} from './lockHolder.ts';

export interface FolderLock {
  release(): Promise<void>;
}

export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, holder: Holder) {
    const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
    super(
      `the store folder ${folder} is in use by process ${holder.pid}${where}: stop it, or choose another folder`,
    );
    this.folder = folder;
    this.pid = holder.pid;
  }
}

/** A lock whose holder may run on another machine, or in a container that this process cannot inspect. */
export class FolderLockedElsewhere extends Error {
  override readonly name = 'FolderLockedElsewhere';

  constructor(folder: string, locks: string, { pid, host, at }: Holder) {
    const since = at === undefined ? '' : ` since ${new Date(at).toISOString()}`;
    super(
      `the store folder ${folder} is locked by process ${pid} of host ${host}${since}, and from here (host ${hostname()}) nobody can tell whether that process still runs: two processes would destroy the data. Stop it there. If it is surely gone (its machine or container was deleted or crashed), free the folder with: rm -r '${locks}'`,
    );
  }
}

/**
 * Makes this process the only one on a folder. Each holder listens on a Unix socket and records its identity and
 * location; `lockHolder.ts` returns its status. Lock files are numbered. The process that creates the next number after
 * a dead holder owns the folder; of two that try, one fails. The highest number is never deleted, so a slow process
 * cannot create a number that was already passed.
 */
export async function lockFolder(
  folder: string,
  machine: Machine = thisMachine(),
): Promise<FolderLock> {
  const locks = resolve(folder, 'lock');
  await mkdir(locks, { recursive: true });
  for (;;) {
    // A new socket each time, because a holder may have removed that of a failed attempt.
    const { server, socket } = await listen(locks);
    try {
      const { pid, host, boot, pidNamespace, started } = machine;
      const place = { pid, host, socket, boot, pidNamespace, started };
      const self = { ...place, ownDisk: await isOwnDisk(locks), at: Date.now() };
      const number = await claim(folder, locks, self, machine);
      if (number !== undefined) return { release: () => release(locks, number, self, server) };
    } catch (error) {
      await close(server);
      throw error;
    }
    await close(server);
  }
}

async function claim(
  folder: string,
  locks: string,
  self: Holder,
  machine: Machine,
): Promise<number | undefined> {
  const last = await lastNumber(locks);
  const holder = await readHolder(locks, last);
  const status = holder === undefined ? 'gone' : await getHolderStatus(locks, holder, machine);
  if (status === 'running') throw new FolderLocked(folder, holder!);
  if (status === 'unknown') throw new FolderLockedElsewhere(folder, locks, holder!);
  const mine = last + 1;
  const draft = await writeDraft(locks, self);
  try {
    if (!(await create(draft, join(locks, String(mine))))) return undefined;
    if ((await lastNumber(locks)) > mine) return undefined;
    await clean(locks, mine);
    return mine;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Other machines cannot see that a process has ended, so the holder records its release. */
async function release(locks: string, number: number, self: Holder, server: Server): Promise<void> {
  try {
    // An operator may have released the folder meanwhile, and another process may hold it.
    if ((await readHolder(locks, number))?.socket === self.socket) {
      await rename(
        await writeDraft(locks, { ...self, released: true }),
        join(locks, String(number)),
      );
    }
  } catch {
    // The folder was deleted or the disk is full. On this machine, the end of the process shows in any case.
  }
  await close(server);
}

/** Renamed only when complete and flushed, so a lock never appears without its content, even after a power failure. */
async function writeDraft(locks: string, holder: Holder): Promise<string> {
  const draft = join(locks, `${randomUUID()}.draft`);
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(holder));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function lastNumber(locks: string): Promise<number> {
  const names = await readdir(locks);
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

async function readHolder(locks: string, number: number): Promise<Holder | undefined> {
  const text = await readFile(join(locks, String(number)), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Holder;
  } catch {
    // Only a power failure leaves an incomplete file, and no process survives that.
    return undefined;
  }
}

async function create(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function clean(locks: string, mine: number): Promise<void> {
  for (const name of await readdir(locks)) {
    if (!/^\d+$/.test(name) || Number(name) >= mine) continue;
    const old = await readHolder(locks, Number(name));
    if (old) await rm(resolve(locks, old.socket), { force: true });
    await rm(join(locks, name), { force: true });
  }
}

async function listen(locks: string): Promise<{ server: Server; socket: string }> {
  const name = `${randomUUID().slice(0, 8)}.sock`;
  // Socket paths are limited to 104 bytes on macOS and 108 on Linux, and some shared file systems have no sockets.
  const inFolder = join(locks, name);
  if (Buffer.byteLength(inFolder) < 100) {
    const server = await listenOn(inFolder).catch(() => undefined);
    if (server) return { server, socket: name };
  }
  const elsewhere = join(tmpdir(), `assay-${name}`);
  return { server: await listenOn(elsewhere), socket: elsewhere };
}

function listenOn(path: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', fail);
    server.listen(path, () => {
      server.unref();
      done(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}
