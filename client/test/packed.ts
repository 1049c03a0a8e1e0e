import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An empty project with the packed client in it, as a user has it. */
export interface PackedProject {
  readonly folder: string;
  /** Where the client was installed. */
  readonly client: string;
  /** What the package has in it. */
  readonly files: readonly string[];
  /** Writes a file into the project; its path. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createPackedProject(): Promise<PackedProject> {
  const base = await mkdtemp(join(tmpdir(), 'assay-packed-'));
  const [source, folder] = [join(base, 'source'), join(base, 'project')];
  await mkdir(source);
  await mkdir(folder);
  for (const name of ['package.json', 'LICENSE', 'README.md']) {
    await cp(join(ROOT, 'client', name), join(source, name));
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const config = join(ROOT, 'client/tsconfig.build.json');
  await run(process.execPath, [tsc, '-p', config, '--outDir', join(source, 'dist')]);
  const packed = await run('npm', ['pack', '--json'], { cwd: source });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet, join(source, filename)], { cwd: folder });
  return {
    folder,
    client: join(folder, 'node_modules/@assay/client'),
    files: files.map(({ path }) => path).sort(),
    async write(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** Puts a package of this tree into the project. */
export async function addPackage({ folder }: PackedProject, name: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), place);
}

/** What is installed in a project besides npm's own file. */
export async function installedIn({ folder }: PackedProject): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'node_modules'));
  return names.filter((name) => !name.startsWith('.'));
}

/** Type-checks files of the project under `strict`; what the compiler says. */
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
