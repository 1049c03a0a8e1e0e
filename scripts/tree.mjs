import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const BUILT = join(ROOT, 'server/dist/.built');
const SOURCES = [
  'server/src',
  'server/catalog',
  'client/src',
  'devnet/src',
  'dashboard/src',
  'dashboard/index.html',
  'dashboard/vite.config.ts',
  'devnet/contracts',
  'docs',
  'openapi.json',
  'tsconfig.base.json',
  'server/tsconfig.build.json',
  'client/tsconfig.build.json',
  'devnet/tsconfig.build.json',
  'scripts/bundle.mjs',
  'scripts/bundleServer.mjs',
  'package-lock.json',
];

// Output of a program that runs before another is redirected, because standard output belongs to the other one.
const ON_STDERR = ['inherit', 2, 'inherit'];

/** Installs the locked dependencies if they are missing or older than the lock file. */
export function ensureInstalled() {
  const lock = join(ROOT, 'package-lock.json');
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(installed) && changedAt(installed) >= changedAt(lock)) return;
  console.error('installing dependencies…');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {}, ON_STDERR);
}

/** Compiles TypeScript, pages, and contracts, and prepares the embedded database, if a source is newer. */
export function ensureBuilt() {
  if (!isStale(BUILT, SOURCES)) return;
  console.error('building…');
  // The server's commands use the client.
  for (const workspace of ['client', 'server', 'devnet'])
    build(tool('tsc'), ['-p', `${workspace}/tsconfig.build.json`]);
  build(join(ROOT, 'scripts/bundleServer.mjs'));
  build(tool('vite'), ['build', '--config', 'dashboard/vite.config.ts']);
  build(join(ROOT, 'scripts/prepareBuild.mjs'));
  // The server shows the guides, so the build contains them; design decisions are for contributors.
  cpSync(join(ROOT, 'docs'), join(ROOT, 'server/dist/docs'), {
    recursive: true,
    filter: (path) => !path.endsWith('decisions'),
  });
  // `assay mcp` describes its tools with it.
  cpSync(join(ROOT, 'openapi.json'), join(ROOT, 'server/dist/openapi.json'));
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, '');
}

function build(file, args = []) {
  node(file, args, {}, ON_STDERR);
}

/** Runs a program in the root folder, and ends this process if it fails. */
export function run(program, args, env = {}, stdio = 'inherit') {
  const { status, error } = spawnSync(program, args, {
    cwd: ROOT,
    stdio,
    env: { ...process.env, ...env },
  });
  if (error) console.error(`${program} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function node(file, args = [], env = {}, stdio = 'inherit') {
  run(process.execPath, [file, ...args], env, stdio);
}

/** Starts one of the project's Node programs in the background. */
export function start(file, args = [], options = {}) {
  return spawn(process.execPath, [join(ROOT, file), ...args], options);
}

/** Returns the JavaScript file of an installed command. */
export function tool(name) {
  const files = {
    tsc: 'node_modules/typescript/bin/tsc',
    biome: 'node_modules/@biomejs/biome/bin/biome',
    vite: 'node_modules/vite/bin/vite.js',
    vitest: 'node_modules/vitest/vitest.mjs',
  };
  return join(ROOT, files[name]);
}

/** Whether a file is missing or older than any of these sources. */
export function isStale(built, sources) {
  const newest = Math.max(...sources.map((source) => newestIn(join(ROOT, source))));
  return !existsSync(built) || changedAt(built) < newest;
}

function changedAt(file) {
  return statSync(file).mtimeMs;
}

function newestIn(path) {
  if (!existsSync(path)) return 0;
  // A changed test does not require a build.
  if (path.endsWith('.test.ts')) return 0;
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
