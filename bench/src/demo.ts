import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './postgres.ts';
import { type Figure, renderTable, seconds } from './table.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_MS = 180_000;

/** Measures the time until the demo is ready, and until the server alone is ready on running chains and its store. */
const folder = await mkdtemp(join(tmpdir(), 'assay-bench-demo-'));
const env = {
  ...process.env,
  PORT: `${await freePort()}`,
  ADMIN_PORT: `${await freePort()}`,
  DEVNET_PORT: '0',
};
const apiUrl = `http://127.0.0.1:${env.PORT}`;
const children: ChildProcess[] = [];
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
const figures: Figure[] = [];
try {
  const began = performance.now();
  const devnet = start('devnet/dist/main.js', []);
  await waitForOutput(devnet, /ready$/m);
  const world = performance.now() - began;
  let server = startServer();
  await ready(server);
  const whole = performance.now() - began;
  add('demo ready after its start', 30, whole, `of which ${seconds(world)} to build the chains`);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await end(server, signal);
    const again = performance.now();
    server = startServer();
    await ready(server);
    const restart = performance.now() - again;
    add(`server ready again after ${signal}`, 5, restart, 'on running chains and its own store');
  }
  const { chains } = JSON.parse(await readFile(join(folder, '.assay/demo.json'), 'utf8'));
  process.stdout.write(`${chains.length} chains, Node ${process.version}\n`);
} finally {
  for (const child of children) await end(child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

function add(figure: string, asked: number, ms: number, remark: string): void {
  const measured = `${seconds(ms)}, ${remark}`;
  figures.push({ figure, asked: `≤ ${asked} s`, measured, pass: ms <= asked * 1000 });
}

function startServer(): ChildProcess {
  return start('server/bin/assay.mjs', ['start', '--config', '.assay/demo.yaml']);
}

function start(file: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, file), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout!.resume();
  children.push(child);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

function waitForOutput(child: ChildProcess, wanted: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (data) => wanted.test(String(data)) && resolve());
    child.once('exit', () => reject(new Error('The chains ended before they were ready.')));
  });
}

async function ready(server: ChildProcess): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (performance.now() < end) {
    if (server.exitCode !== null) throw new Error('The server ended before it was ready.');
    const answer = await fetch(`${apiUrl}/health/ready`).catch(() => undefined);
    if (answer?.ok && ((await answer.json()) as { missing: unknown[] }).missing.length === 0)
      return;
    await sleep(50);
  }
  throw new Error(`The server was not ready within ${LONGEST_MS / 1000} s.`);
}
