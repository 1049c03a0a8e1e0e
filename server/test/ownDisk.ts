import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount'];
const canMount = spawnSync(UNSHARE[0]!, [
  ...UNSHARE.slice(1),
  ...['sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'],
]);

/** Whether a process may be given a disk of its own; not in every container. */
export const HAS_SMALL_DISKS = canMount.status === 0;

/** A command that runs what stands behind its own words with a disk of so many megabytes at `folder`. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs ${folder} && exec "$@"`;
  return [...UNSHARE, 'sh', '-c', script, 'sh'];
}

/** Where that disk is for other processes. */
export function diskOf(pid: number, folder: string): string {
  return `/proc/${pid}/root${folder}`;
}
