import { readFileSync, readlinkSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname, uptime } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/** This process, and the properties of its machine that identify it to other processes on it. */
export interface Machine {
  readonly pid: number;
  readonly host: string;
  /** Boot ID of the running kernel, the same in all its containers; empty if the system has none. */
  readonly boot: string;
  /** When that kernel started, in milliseconds. */
  readonly bootedAt: number;
  /** The namespace in which `pid` is valid; empty if the system has none. */
  readonly pidNamespace: string;
  /** Start of the process in kernel ticks, because process IDs are reused. */
  readonly started: string;
}

/** Content of a lock file. Locks of earlier builds have only the first three fields. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** A path inside the lock folder, or an absolute one. */
  readonly socket: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
  readonly started?: string;
  /** The folder was on a disk that only one kernel uses. */
  readonly ownDisk?: boolean;
  /** When the lock was taken, in milliseconds. */
  readonly at?: number;
  /** It was released: no process holds the folder. */
  readonly released?: boolean;
}

/** `unknown`: it cannot be determined from this process. */
export type HolderStatus = 'running' | 'gone' | 'unknown';

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

// ext2 to ext4, XFS, Btrfs, ZFS, F2FS, bcachefs, overlay, tmpfs. Only one kernel at a time uses such a disk, and each
// of its files is the same file through every container's path. Neither holds for network file systems or for folders
// that a host shares with a guest.
const OWN_DISKS = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x794c7630, 0x01021994,
]);

export async function isOwnDisk(folder: string): Promise<boolean> {
  return OWN_DISKS.has((await statfs(folder)).type);
}

/**
 * Returns the status of the holder of a lock in the folder `locks`. The kernel closes a socket however its process
 * ends, so a socket that accepts means that the holder is alive. One that does not accept proves nothing if the holder
 * may be on another kernel, or if the socket may not be the same file there.
 */
export async function getHolderStatus(
  locks: string,
  holder: Holder,
  self: Machine,
): Promise<HolderStatus> {
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
  // A lock from before this start of the same machine; for a later one, the holder runs on another kernel.
  const before = holder.at !== undefined && holder.at < self.bootedAt;
  return ownDisk && before && holder.host === self.host ? 'gone' : 'unknown';
}

function withoutBoot(holder: Holder, self: Machine, socket: 'refuses' | 'absent'): HolderStatus {
  if (holder.host === self.host) return 'gone';
  // Earlier versions released a lock by removing the socket.
  const isReleased = holder.at === undefined && socket === 'absent' && !isAbsolute(holder.socket);
  return isReleased ? 'gone' : 'unknown';
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
      // Any other error (no permission, a full queue) means that a holder may exist.
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
  // If other users' processes are hidden, an ID in use may be the holder's.
  if (found === undefined) return true;
  // A zombie only waits for its parent.
  return found.started === started && found.state !== 'Z';
}

function readProcess(pid: string): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, can contain any character.
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
