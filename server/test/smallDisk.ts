import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of a few megabytes that a test can fill completely. */
export interface SmallDisk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
}

/** Whether disks can be mounted here, which requires root. */
export const CAN_MOUNT = canMount();

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function mountSmallDisk(
  megabytes: number,
  owner: { readonly uid: number; readonly gid: number } = { uid: 0, gid: 0 },
): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-disk-'));
  const options = `size=${megabytes}m,uid=${owner.uid},gid=${owner.gid},mode=700`;
  await run('mount', ['-t', 'tmpfs', '-o', options, 'assay-test', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (const size of [1_048_576, 4_096]) await fillWith(file, Buffer.alloc(size, 1));
      } finally {
        await file.close();
      }
    },
    free: () => unlink(filler),
    async close() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

async function fillWith(
  file: { write(bytes: Buffer): Promise<unknown> },
  bytes: Buffer,
): Promise<void> {
  for (;;) {
    try {
      await file.write(bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
