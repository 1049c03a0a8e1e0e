import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '../src/runtime/pause.ts';
import { libraryPath, unpackPackages } from './debianPackages.ts';
import { freePort } from './freePort.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const PACKAGES = ['nginx', 'nginx-common', 'haproxy', 'caddy'];

export const PROXIES = ['nginx', 'caddy', 'haproxy'] as const;
export type ProxyName = (typeof PROXIES)[number];

export interface ProxyServer {
  readonly url: string;
  /** Returns what it has printed so far. */
  output(): string;
  close(): Promise<void>;
}

/** Returns a code block of docs/operate.md or of another page: the first in this language that contains the text. */
export function recipeOf(language: string, text = '', page = 'operate.md'): string {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  const blocks = [...readFileSync(new URL(page, DOCS), 'utf8').matchAll(fence)].map(
    ([, block]) => block!,
  );
  const block = blocks.find((found) => found.includes(text));
  if (block === undefined) throw new Error(`docs/${page} has no recipe for ${language}`);
  return block;
}

interface Place {
  /** The folder with the unpacked packages, which replaces `/`. */
  readonly root: string;
  /** The temporary folder of this run. */
  readonly folder: string;
  readonly port: number;
}

/**
 * Prepares a program with its arguments and settings: the package's own, with the recipe where docs/operate.md puts it.
 */
type Prepare = (place: Place, recipe: string) => Promise<readonly string[]>;

const PREPARE: Readonly<Record<ProxyName, Prepare>> = {
  async nginx({ root, folder, port }, recipe) {
    const etc = join(root, 'etc/nginx');
    const sites = join(folder, 'sites-enabled');
    await mkdir(sites);
    await writeFile(
      join(sites, 'assay'),
      recipe.replace(/listen (?:80|443)(?=[ ;])/, `listen 127.0.0.1:${port}`),
    );
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};\n`).join('');
    const stock = await readFile(join(etc, 'nginx.conf'), 'utf8');
    // Changes only paths.
    const config = stock
      .replace('/run/nginx.pid', join(folder, 'pid'))
      .replaceAll('/var/log/nginx', folder)
      .replace('/etc/nginx/sites-enabled', sites)
      .replaceAll('/etc/nginx/', `${etc}/`)
      .replace(/^http \{$/m, `http {\n${temporary}`);
    const file = join(folder, 'nginx.conf');
    await writeFile(file, config);
    const log = join(folder, 'start.log');
    return [join(root, 'usr/sbin/nginx'), '-e', log, '-c', file, '-g', 'daemon off;'];
  },
  async caddy({ root, folder, port }, recipe) {
    const file = join(folder, 'Caddyfile');
    // Disables TLS unless the recipe has a certificate, because the test cannot obtain one.
    const own = recipe.includes('tls ')
      ? recipe.replace(
          /^(\S+) \{/,
          `{\n    auto_https off\n}\nhttps://$1:${port} {\n    bind 127.0.0.1`,
        )
      : recipe.replace('api.example.com', `http://127.0.0.1:${port}`);
    await writeFile(file, own);
    return [join(root, 'usr/bin/caddy'), 'run', '--config', file, '--adapter', 'caddyfile'];
  },
  async haproxy({ root, folder, port }, recipe) {
    const stock = await readFile(join(root, 'etc/haproxy/haproxy.cfg'), 'utf8');
    // Changes only paths and permissions, and keeps it in the foreground.
    const config = stock
      .replaceAll(/^\s*(?:chroot|stats|user|group|daemon|log \/dev\/log)\b.*$/gm, '')
      .replaceAll('/etc/haproxy/', `${join(root, 'etc/haproxy')}/`);
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, `${config}\n${recipe.replace('bind :80', `bind 127.0.0.1:${port}`)}`);
    return [join(root, 'usr/sbin/haproxy'), '-db', '-f', file];
  },
};

/** Starts Debian's proxy with the recipe of docs/operate.md in front of a server on loopback. */
export function startProxy(name: ProxyName, server: string): Promise<ProxyServer> {
  const recipe = recipeOf(name).replaceAll('127.0.0.1:8080', new URL(server).host);
  return startProxyWith(name, recipe);
}

export async function startProxyWith(name: ProxyName, recipe: string): Promise<ProxyServer> {
  const root = await unpackPackages(PACKAGES);
  const folder = await mkdtemp(join(tmpdir(), `assay-${name}-`));
  // Its workers run as another user.
  await chmod(folder, 0o755);
  const port = await freePort();
  const command = await PREPARE[name]({ root, folder, port }, recipe);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LD_LIBRARY_PATH: await libraryPath(root),
    CADDY_ADMIN: 'off',
  };
  // setpriv stops it when the test run ends for any reason.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      resolve();
    });
  });
  while (!(await listens(port))) {
    if (ended) throw new Error(`${name} did not start: ${said}`);
    await pause(50);
  }
  return { url: `http://127.0.0.1:${port}`, output: () => said, close };

  async function close(): Promise<void> {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
