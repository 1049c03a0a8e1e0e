import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aptGet, HAS_APT } from './aptGet.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../.assay/debian', import.meta.url));

export class PackagesMissing extends Error {
  override readonly name = 'PackagesMissing';

  constructor(names: readonly string[], cause?: unknown) {
    super(
      `The Debian packages ${names.join(', ')} could not be fetched; tests run what is in them. Use a Debian or Ubuntu system that reaches its packages, and run apt-get update once.`,
      { cause },
    );
  }
}

/** Whether tests of Debian packages can run. In CI they must. */
export const HAS_PACKAGES = HAS_APT || process.env.CI === 'true';

/**
 * Fetches packages and their missing dependencies, and unpacks them into a cached folder. Nothing is installed, because
 * that would start services. Returns the folder, which replaces `/`.
 */
export async function unpackPackages(names: readonly string[]): Promise<string> {
  const folder = join(FOLDER, names.join('+'));
  if (existsSync(folder)) return folder;
  if (!HAS_APT) throw new PackagesMissing(names);
  console.log(`fetching the Debian packages ${names.join(', ')}, which the tests need`);
  await mkdir(FOLDER, { recursive: true });
  const work = await mkdtemp(join(FOLDER, 'work-'));
  try {
    await fetchPackages(names, work).catch(async () => {
      await aptGet(['update']);
      await fetchPackages(names, work);
    });
    const root = join(work, 'root');
    await mkdir(root);
    const files = (await readdir(work)).filter((file) => file.endsWith('.deb'));
    for (const file of files) await run('dpkg-deb', ['-x', join(work, file), root]);
    // Another run may have created the folder first.
    await rename(root, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } catch (error) {
    throw new PackagesMissing(names, error);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function fetchPackages(names: readonly string[], folder: string): Promise<void> {
  await mkdir(join(folder, 'partial'), { recursive: true });
  const options = {
    'Dir::Cache::archives': folder,
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
  };
  const flags = ['--download-only', '--reinstall', '--no-install-recommends', '-y'];
  const settings = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await aptGet(['install', ...flags, ...settings, ...names]);
}

/** Returns the LD_LIBRARY_PATH for the programs of an unpacked package. */
export async function libraryPath(root: string): Promise<string> {
  const folders = await readdir(join(root, 'usr/lib'), { withFileTypes: true });
  return folders
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map(({ name }) => join(root, 'usr/lib', name))
    .join(':');
}
