import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An empty project with the packed client installed. */
export interface PackedProject {
  readonly folder: string;
  /** Folder of the installed client. */
  readonly client: string;
  /** Files of the package. */
  readonly files: readonly string[];
  /** Writes a file into the project and returns its path. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createPackedProject(): Promise<PackedProject> {
  const base = await mkdtemp(join(tmpdir(), 'assay-packed-'));
  const [target, folder] = [join(base, 'packed'), join(base, 'project')];
  await mkdir(folder);
  await run(process.execPath, [join(ROOT, 'scripts/pack/packClient.mjs'), target]);
  const archive = await findArchive(target);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet, archive], { cwd: folder });
  return {
    folder,
    client: join(folder, 'node_modules/@assay/client'),
    files: await listArchive(archive),
    async write(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    remove: () => rm(base, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** Runs `npm pack` in the client's folder of a clone that was installed but never built, and lists the package's files. */
export async function packUnbuiltClone(): Promise<readonly string[]> {
  const clone = await mkdtemp(join(tmpdir(), 'assay-clone-'));
  try {
    const isSource = (path: string) => !/\/(dist|node_modules)$/.test(path);
    for (const name of ['client', 'scripts', 'package.json', 'tsconfig.base.json', '.npmrc']) {
      await cp(join(ROOT, name), join(clone, name), { recursive: true, filter: isSource });
    }
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    const client = join(clone, 'client');
    await run('npm', ['pack', '--ignore-scripts=false', '--loglevel=error'], { cwd: client });
    return await listArchive(await findArchive(client));
  } finally {
    await rm(clone, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function findArchive(folder: string): Promise<string> {
  const [name, ...others] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  if (!name || others.length > 0) throw new Error(`${folder} does not contain one archive`);
  return join(folder, name);
}

async function listArchive(archive: string): Promise<string[]> {
  const { stdout } = await run('tar', ['tzf', archive]);
  const files = stdout.trim().split('\n');
  return files.map((file) => file.replace(/^package\//, '')).sort();
}

/** Adds a package of this repository to the project. */
export async function addPackage({ folder }: PackedProject, name: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), place);
}

/** Returns the packages installed in a project. */
export async function installedIn({ folder }: PackedProject): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'node_modules'));
  return names.filter((name) => !name.startsWith('.'));
}

/** Type-checks files of the project under `strict` and returns the compiler output. */
export async function typeCheck(
  { folder }: PackedProject,
  compiler: 5 | 7,
  options: readonly string[],
): Promise<string> {
  const place = compiler === 5 ? 'client/node_modules/typescript' : 'node_modules/typescript';
  const tsc = join(ROOT, place, 'bin/tsc');
  const args = ['--strict', '--noEmit', '--pretty', 'false', '--target', 'es2022', ...options];
  const { stdout: version } = await run(process.execPath, [tsc, '--version']);
  if (!version.startsWith(`Version ${compiler}.`)) throw new Error(`${tsc} is ${version}`);
  return run(process.execPath, [tsc, ...args], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}
