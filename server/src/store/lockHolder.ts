import { readFileSync, readlinkSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname, uptime } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/** The process that asks, and what of its machine tells other processes of the same one. */
export interface Machine {
  readonly pid: number;
  readonly host: string;
  /** Of the running kernel, the same in all its containers; empty where the system has none. */
  readonly boot: string;
  /** When that kernel started, in milliseconds. */
  readonly bootedAt: number;
  /** Within which `pid` means something; empty where the system has none. */
  readonly pidNamespace: string;
  /** Start of the process in ticks of the kernel: process ids are used again. */
  readonly started: string;
}

/** What a lock file says. Locks of earlier builds have only the first three. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** A path inside the lock folder, or an absolute one. */
  readonly socket: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
  readonly started?: string;
  /** The folder was on a disk that one kernel has for itself. */
  readonly ownDisk?: boolean;
  /** When the lock was taken, in milliseconds. */
  readonly at?: number;
  /** It was given back: nobody has the folder. */
  readonly released?: boolean;
}

/** `unknown`: it cannot be told from here. */
export type Fate = 'running' | 'gone' | 'unknown';

export function thisMachine(): Machine {
  return {
    pid: process.pid,
    host: hostname(),
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    bootedAt: Date.now() - uptime() * 1_000,
    pidNamespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
    started: readProcess('self')?.started ?? '',
  };
}

// ext2 to ext4, XFS, Btrfs, ZFS, F2FS, bcachefs, overlay, tmpfs. One kernel at a time has such a disk, and in it each file
// is one thing, by whichever container's path. Of what comes over a wire, or from a host to its guest, neither holds.
const OWN_DISKS = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x794c7630, 0x01021994,
]);

export async function isOwnDisk(folder: string): Promise<boolean> {
  return OWN_DISKS.has((await statfs(folder)).type);
}

/**
 * What became of the holder of a lock in the folder `locks`. The kernel closes a socket however its process ends, so
 * one that accepts is alive. One that does not says nothing when the holder may be on another kernel, or the socket
 * not be the same file there.
 */
export async function fateOf(locks: string, holder: Holder, self: Machine): Promise<Fate> {
  if (holder.released) return 'gone';
  const socket = await knock(resolve(locks, holder.socket));
  if (socket === 'answers') return 'running';
  if (!holder.boot || self.boot === '') return withoutBoot(holder, self, socket);
  const ownDisk = holder.ownDisk === true && (await isOwnDisk(locks));
  if (holder.boot === self.boot) {
    if (holder.pidNamespace === self.pidNamespace && self.pidNamespace !== '') {
      return isRunning(holder) ? 'running' : 'gone';
    }
    return ownDisk && socket === 'refuses' && !isAbsolute(holder.socket) ? 'gone' : 'unknown';
  }
  // A lock from before this start of the same machine; of one made since, another kernel is the holder.
  const before = holder.at !== undefined && holder.at < self.bootedAt;
  return ownDisk && before && holder.host === self.host ? 'gone' : 'unknown';
}

function withoutBoot(holder: Holder, self: Machine, socket: 'refuses' | 'absent'): Fate {
  if (holder.host === self.host) return 'gone';
  // Earlier versions gave a lock back by removing the socket.
  const givenBack = holder.at === undefined && socket === 'absent' && !isAbsolute(holder.socket);
  return givenBack ? 'gone' : 'unknown';
}

function knock(path: string): Promise<'answers' | 'refuses' | 'absent'> {
  return new Promise((done) => {
    const connection = createConnection(path);
    connection.once('connect', () => {
      connection.destroy();
      done('answers');
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') done('refuses');
      else if (code === 'ENOENT') done('absent');
      // Anything else (no permission, a full queue) says that somebody may be there.
      else done('answers');
    });
  });
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = readProcess(String(pid));
  // Where other users' processes are hidden, an id that is in use may be the holder's.
  if (found === undefined) return true;
  // A zombie waits only for its parent.
  return found.started === started && found.state !== 'Z';
}

function readProcess(pid: string): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, started: fields[19]! };
  } catch {
    return undefined;
  }
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
