import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../.assay', import.meta.url));

export const HAS_APT = existsSync('/usr/bin/apt-get');

/** Only root can install packages. Other users download them. */
export const CAN_INSTALL = HAS_APT && process.getuid?.() === 0;

/** Installs a Debian package. Updates the package lists first if they are too old. */
export async function installPackage(name: string): Promise<void> {
  console.log(`installing the Debian package ${name}, which the tests need`);
  const install = () => aptGet(['install', '-y', '--no-install-recommends', name]);
  await install().catch(async () => {
    await aptGet(['update']);
    await install();
  });
}

/** Runs apt-get under a lock, because it fails while another one runs, and test files run in parallel. */
export async function aptGet(args: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const lock = join(FOLDER, 'apt.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('flock', [lock, 'apt-get', '-o', 'DPkg::Lock::Timeout=600', ...args], { env });
}
