import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface FolderLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** A path inside the lock folder, or an absolute one. */
  readonly socket: string;
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

/**
 * Makes this process the only one on a folder.
 *
 * Each holder listens on a Unix socket, which the kernel closes however the process ends: alive means that the
 * socket accepts. Process ids would lie: they are reused, and in containers every process is number 1. Holders are
 * numbered files; whoever creates the next number after a dead one has the folder, and of two who try one fails.
 * The highest number is never deleted, so a slow process cannot create a number that was already passed.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const locks = resolve(folder, 'lock');
  await mkdir(locks, { recursive: true });
  for (;;) {
    // A new socket each time: a holder may have removed that of a lost attempt.
    const { server, socket } = await listen(locks);
    try {
      const held = await claim(folder, locks, { pid: process.pid, host: hostname(), socket });
      if (held) return { release: () => close(server) };
    } catch (error) {
      await close(server);
      throw error;
    }
    await close(server);
  }
}

async function claim(folder: string, locks: string, self: Holder): Promise<boolean> {
  const last = await lastNumber(locks);
  const holder = await readHolder(locks, last);
  if (holder && (await isAlive(locks, holder))) throw new FolderLocked(folder, holder);
  const mine = last + 1;
  const draft = join(locks, `${randomUUID()}.draft`);
  try {
    // Linking a complete file makes it appear with its content.
    await writeFile(draft, JSON.stringify(self));
    if (!(await create(draft, join(locks, String(mine))))) return false;
    if ((await lastNumber(locks)) > mine) return false;
    await clean(locks, mine);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
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
    // Only a power failure leaves half a file, and nobody outlives that.
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

function isAlive(locks: string, holder: Holder): Promise<boolean> {
  return new Promise((done) => {
    const connection = createConnection(resolve(locks, holder.socket));
    connection.once('connect', () => {
      connection.destroy();
      done(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // Anything else (no permission, a full queue) says that somebody may be there.
      done(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function listen(locks: string): Promise<{ server: Server; socket: string }> {
  const name = `${randomUUID().slice(0, 8)}.sock`;
  // Socket paths end at 104 bytes on macOS, 108 on Linux, and some shared file systems have no sockets at all.
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
