import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount'];
const canMount = spawnSync(UNSHARE[0]!, [
  ...UNSHARE.slice(1),
  ...['sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'],
]);

/** Whether a process can get its own disk, which some containers do not allow. */
export const HAS_SMALL_DISKS = canMount.status === 0;

/** Runs the command after its own arguments with a disk of this many megabytes at `folder`. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs ${folder} && exec "$@"`;
  return [...UNSHARE, 'sh', '-c', script, 'sh'];
}

/** Returns the path of that disk for other processes. */
export function diskOf(pid: number, folder: string): string {
  return `/proc/${pid}/root${folder}`;
}
