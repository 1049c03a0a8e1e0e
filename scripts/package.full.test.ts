import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../server/test/freePort.ts';
import { type ServedWorld, serveWorld } from '../server/test/world.ts';
import { execForm, readDockerfile } from './dockerfile.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(join(ROOT, 'server/package.json'), 'utf8')) as {
  version: string;
};

const stages = readDockerfile(join(ROOT, 'deploy/Dockerfile'));
const [building, image] = [stages[0]!, stages[1]!];
/** The user of the image: not root even if the tests run as root, unless only root can run Node here. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const account = await run('node', ['--version'], { cwd: '/', ...NOBODY }).then(
  () => NOBODY,
  () => ({}),
);
const owner = { uid: process.getuid?.(), gid: process.getgid?.(), ...account };

const OWN_SECRET = join(ROOT, 'deploy/secrets/OF_THE_PACKAGE_TEST');

/** On a busy machine, the first start takes long. */
const PATIENT = { timeout: 180_000, interval: 200 };

let world: ServedWorld;
/** Represents the root folder of the image; empty at first. */
let root: string;
let url: string;
let adminPort: number;
let server: ChildProcess | undefined;
/** Errors and warnings that were printed while it was packed and installed. */
let warnings = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'assay-package-'));
  await chmod(root, 0o755);
  // As in a clone whose owner deploys from it.
  await mkdir(join(ROOT, 'deploy/secrets'), { recursive: true });
  await writeFile(OWN_SECRET, 'https://rpc.example');
  [world] = await Promise.all([serveWorld({ seed: 'package' }), install()]);
  await mkdir(at('/etc/assay'), { recursive: true });
  await writeFile(at('/etc/assay/assay.yaml'), world.yaml({ storeFolder: '.assay/store' }));
}, 300_000);
afterAll(async () => {
  if (server?.exitCode === null) server.kill('SIGKILL');
  await world?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 20 });
  await rm(OWN_SECRET, { force: true });
}, 60_000);

describe('the package', () => {
  test('default: in an empty folder, it contains everything that it needs to run', async () => {
    expect(await assay('--help')).toContain('start ');
    expect((await assay('--version')).trim()).toBe(version);
    const file = at('/etc/assay/assay.yaml');
    expect(await assay('check', '--config', file)).toContain('ok   family:svcusd on chain 8453');

    expect(await health()).toBe(1);
    await start();
    const vault = await (await fetch(`${url}/v1/vaults/svcusd`)).json();
    expect(vault).toMatchObject({ slug: 'svcusd', stats: { tvl: expect.anything() } });
    expect(await assay('vaults', '--url', url)).toContain('svcusd');
    const page = await (await fetch(`${url}/`)).text();
    const [, script] = /src="([^"]+\.js)"/.exec(page)!;
    for (const path of [script, 'docs', 'docs/operate', 'docs/example', 'SKILL.md']) {
      expect(await statusOf(new URL(path!, `${url}/`).href), path).toBe(200);
    }
    expect(await health()).toBe(0);
    expect(await check(indexerHealth())).toBe(0);
    const ended = new Promise((resolve) => server!.once('exit', resolve));
    server!.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await check(indexerHealth())).toBe(1);
    // It wrote nothing else, because the database came with the image.
    expect(await readdir(at('/var/lib/assay'))).toEqual(['.assay']);
    expect(await readdir(at('/app/node_modules/.cache/assay'))).toHaveLength(1);
  }, 300_000);

  test('behavior: a file that init writes names an existing schema', async () => {
    const { address } = world.world.families[0]!;
    await assay('init', '--rpc', world.urlOf(8453), '--vault', address, '--config', 'own.yaml');
    const text = await readFile(at('/app/own.yaml'), 'utf8');
    const [, schema] = /\$schema=(\S+)/.exec(text)!;
    expect(JSON.parse(await readFile(join(at('/app'), schema!), 'utf8'))).toHaveProperty(
      'properties',
    );
  });

  test('behavior: the client is packed with it', async () => {
    const archive = join(at('/packed'), `assay-client-${version}.tgz`);
    const { stdout } = await run('tar', ['tzf', archive]);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['package/dist/index.js', 'package/dist/node/index.d.ts']),
    );
  });

  test('behavior: it contains the deployment files, and can be packed again for an image', async () => {
    const listOf = async (archive: string) =>
      (await run('tar', ['tzf', archive])).stdout.trim().split('\n').sort();
    const packed = await listOf(at('/app/assay.tgz'));
    const { stdout } = await run('git', ['ls-files', 'deploy'], { cwd: ROOT });
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining(['deploy/assay.service', 'deploy/kubernetes/server.yaml']),
    );
    // Other files that an operator keeps there are left out.
    const inDeploy = packed.filter((file) => file.startsWith('package/deploy/'));
    expect(inDeploy).toEqual(files.map((file) => `package/${file}`).sort());
    const [, pack] = /else (npm pack [^;]+);/.exec(
      building.find(({ name }) => name === 'RUN')!.text,
    )!;
    await mkdir(at('/packed/again'), { recursive: true });
    const again = pack!.replace('/packed', at('/packed/again'));
    await run('sh', ['-c', again], { cwd: inside(), env: env() });
    expect(await listOf(at(`/packed/again/assay-${version}.tgz`))).toEqual(packed);
  });

  test('behavior: no package requires a newer Node than this one', () => {
    expect(warnings).not.toContain('EBADENGINE');
  });

  test('behavior: the bill of materials lists exactly the installed packages', async () => {
    const { components } = await readBill();
    for (const { name, licenses, hashes } of components) {
      expect([licenses.length, hashes.length], name).toEqual([1, 1]);
    }
    const listed = components.filter(({ properties }) => properties === undefined);
    const here = new Set(await installedIn(at('/app/node_modules')));
    here.delete(`assay@${version}`);
    here.delete(`@assay/client@${version}`);
    // Of packages in two versions, the package names only one; its dependencies determine the other.
    const twice = listed.map(({ name }) => name).filter((name, i, all) => all.indexOf(name) !== i);
    const once = (one: string) => !twice.some((name) => one.startsWith(`${name}@`));
    expect([...here].filter(once).sort()).toEqual(listed.map(named).filter(once).sort());
    for (const name of twice)
      expect([...here].filter((one) => one.startsWith(`${name}@`))).toHaveLength(2);
  });

  test('behavior: it contains nothing of the clone, of this machine, or of the tests', async () => {
    const { stdout } = await run('tar', ['tzf', at('/app/assay.tgz')]);
    const files = stdout.trim().split('\n');
    expect(files.filter((file) => /\.(map|ts|test\.\w+)$/.test(file) && !isTyping(file))).toEqual(
      [],
    );
    const manifest = JSON.parse(await readFile(join(inside(), 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version, license: 'MIT', engines: { node: /20/ } });
    expect(manifest).not.toHaveProperty('private');
    for (const file of files.map((one) => one.replace('package/', ''))) {
      const text = await readFile(join(inside(), file), 'utf8');
      for (const word of [ROOT, root, 'sourceMappingURL=', '@assay/devnet']) {
        expect(text.includes(word), `${word} in ${file}`).toBe(false);
      }
    }
  });
});

/** Types of the client that it brings along. */
function isTyping(file: string): boolean {
  return /^package\/node_modules\/@assay\/client\/.*\.d\.ts$/.test(file);
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly unknown[];
  readonly hashes: readonly unknown[];
  readonly properties?: readonly unknown[];
}

async function readBill(): Promise<{ readonly components: readonly Component[] }> {
  return JSON.parse(await readFile(join(inside(), 'sbom.cdx.json'), 'utf8'));
}

function named(one: { readonly name: string; readonly version: string }): string {
  return `${one.name}@${one.version}`;
}

/** Every package in a node_modules folder, and in those within. */
async function installedIn(modules: string): Promise<string[]> {
  const names = await readdir(modules).catch(() => []);
  const found = names.flatMap(async (name) => {
    if (name.startsWith('.')) return [];
    const path = join(modules, name);
    if (name.startsWith('@')) return installedIn(path);
    const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    return [named(manifest), ...(await installedIn(join(path, 'node_modules')))];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the path on this machine of a path in the image. */
function at(path: string): string {
  return join(root, path);
}

function inside(): string {
  return at('/app/node_modules/assay');
}

/** Returns a line of the image's build with the paths and the user of this machine. */
function placed(text: string): string {
  return text
    .replaceAll(/(?<![\w.])\/(app|etc\/assay|packed|var\/lib\/assay)\b/g, (path) => at(path))
    .replace('-o node -g node', `-o ${owner.uid} -g ${owner.gid}`);
}

async function shell(line: string, cwd: string): Promise<void> {
  // Earlier downloads are not repeated.
  const quick = { npm_config_prefer_offline: 'true' };
  const { stderr } = await run('sh', ['-c', placed(line)], { cwd, env: { ...env(), ...quick } });
  warnings += stderr;
}

/** Runs both stages of the image, one instruction after the other. */
async function install(): Promise<void> {
  await shell(building.find(({ name }) => name === 'RUN')!.text, ROOT);
  let folder = '/';
  for (const { name, text } of image) {
    if (name === 'WORKDIR') {
      folder = text;
      await mkdir(at(folder), { recursive: true });
    }
    if (name === 'COPY') await copyFile(at(text.split(' ')[0]!), join(at(folder), 'assay.tgz'));
    if (name === 'RUN') await shell(text, at(folder));
  }
}

/** Runs a command as the image's user. */
async function assay(...words: string[]): Promise<string> {
  const options = { cwd: at('/app'), env: env() };
  return (await run('npx', ['--no-install', 'assay', ...words], options)).stdout;
}

/** Returns the environment without npm's variables, with which npm would install into this clone. */
function env(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(npm_|DATABASE_)/.test(name));
  return { ...Object.fromEntries(ours), NO_COLOR: '1' };
}

/** Runs the image's own command, as its user, until the backfill is complete. */
async function start(): Promise<void> {
  const [program, ...words] = [...execForm(image, 'ENTRYPOINT'), ...execForm(image, 'CMD')];
  const port = await freePort();
  adminPort = await freePort();
  url = `http://127.0.0.1:${port}`;
  // On all addresses in a container; here on loopback.
  const place = { HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: `${adminPort}` };
  const child = spawn(program!, words.map(placed), {
    cwd: at(image.findLast(({ name }) => name === 'WORKDIR')!.text),
    env: { PATH: process.env.PATH, ...place },
    ...account,
  });
  server = child;
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
  const ready = expect.poll(() => statusOf(`${url}/health/ready`), PATIENT).toBe(200);
  await Promise.race([ready, failed]);
  // The caller that ends it checks its exit.
  failed.catch(() => {});
}

/** The exit code of the image's health check. */
function health(): Promise<number> {
  return check(execForm(image, 'HEALTHCHECK'));
}

async function check([program, ...words]: string[]): Promise<number> {
  const place = { ...env(), PORT: new URL(url ?? 'http://127.0.0.1:9').port };
  const child = spawn(program!, words, { env: place });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code!)));
}

/** The check of a process without an API, on the admin port that it has here. */
function indexerHealth(): string[] {
  const text = readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8');
  const [mark, ...words] = parse(text, { merge: true }).services['indexer-1'].healthcheck.test;
  expect(mark).toBe('CMD');
  return words.map((word: string) => word.replace('9464', `${adminPort}`));
}

function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}
