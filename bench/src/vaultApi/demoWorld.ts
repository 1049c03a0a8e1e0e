import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../folders.ts';
import { freePort } from '../postgres.ts';
import { ended } from './worker.ts';

/** The demo's chains in a separate process, and servers on them. */
export interface DemoWorld {
  readonly wallets: readonly string[];
  readonly slugs: readonly string[];
  /** Indexes the chains into an empty database until the server is ready, and stops. */
  index(databaseUrl: string): Promise<void>;
  /** Starts `assay serve` on the database. */
  serve(databaseUrl: string, profileFolder?: string): Promise<Served>;
  stop(): Promise<void>;
}

export interface Served {
  readonly port: number;
  readonly pid: number;
  /** Returns the current resident memory. */
  memoryMb(): number;
  /** Returns the peak resident memory. */
  peakMb(): number;
  stop(): Promise<void>;
}

export class NotReady extends Error {
  constructor(what: string) {
    super(`${what} ended, or was not ready in time. Run npm start to see why.`);
    this.name = 'NotReady';
  }
}

const TIMEOUT_MS = 180_000;

interface Description {
  readonly wallets: readonly { readonly address: string }[];
  readonly families: readonly { readonly slug: string }[];
}

export async function startDemoWorld(): Promise<DemoWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-api-'));
  const children = new Set<ChildProcess>();
  const killOnExit = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', killOnExit);

  function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout!.resume();
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  async function run(command: string, databaseUrl: string, flags: readonly string[] = []) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const child = start(
      [...flags, join(repository, 'server/bin/assay.mjs'), command, '--config', '.assay/demo.yaml'],
      {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        LOG_LEVEL: 'error',
      },
    );
    // A server that is starting answers /health/live before it serves anything else.
    await ready(child, port, command === 'serve' ? '/v1/vaults' : '/health/ready');
    return { child, port };
  }

  const devnet = start([join(repository, 'devnet/dist/main.js')], { DEVNET_PORT: '0' });
  await waitForOutput(devnet);
  const text = readFileSync(join(folder, '.assay/demo.json'), 'utf8');
  const { wallets, families } = JSON.parse(text) as Description;
  return {
    wallets: wallets.map(({ address }) => address),
    slugs: families.map(({ slug }) => slug),
    async index(databaseUrl) {
      const { child } = await run('start', databaseUrl);
      await ended(child, 'SIGTERM');
    },
    async serve(databaseUrl, profileFolder) {
      const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', profileFolder] : [];
      const { child, port } = await run('serve', databaseUrl, profile);
      return {
        port,
        pid: child.pid!,
        memoryMb: () => memoryMbOf(child.pid, 'VmRSS'),
        peakMb: () => memoryMbOf(child.pid, 'VmHWM'),
        stop: () => ended(child, 'SIGTERM'),
      };
    },
    async stop() {
      for (const child of children) await ended(child, 'SIGTERM');
      process.off('exit', killOnExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function waitForOutput(devnet: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    devnet.stdout!.on('data', (data) => /ready$/m.test(String(data)) && resolve());
    devnet.once('exit', () => reject(new NotReady('The demo')));
  });
}

async function ready(child: ChildProcess, port: number, path: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    const { missing = [] } = answer?.ok
      ? ((await answer.json()) as { missing?: unknown[] })
      : { missing: [undefined] };
    if (missing.length === 0) return;
    await sleep(50);
  }
  throw new NotReady('The server');
}

function memoryMbOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
}
