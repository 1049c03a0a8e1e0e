import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoServer } from '../dashboard/test/demoPages.ts';
import { freePort } from '../server/test/freePort.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface RunningDemo extends DemoServer {
  stop(): Promise<void>;
}

/**
 * Runs the demo, chains and server. With ASSAY_DEMO, uses the demo of this demo.json instead, and leaves it running.
 */
export async function runDemo(): Promise<RunningDemo> {
  const { ASSAY_DEMO } = process.env;
  if (ASSAY_DEMO) return { ...(await readDemo(ASSAY_DEMO)), async stop() {} };
  const folder = await mkdtemp(join(tmpdir(), 'assay-dashboard-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = { ...process.env, PORT: `${port}`, ADMIN_PORT: `${adminPort}`, DEVNET_PORT: '0' };
  const children: ChildProcess[] = [];
  try {
    await said(start('devnet/dist/main.js'), /ready$/m);
    const demo = await readDemo(join(folder, '.assay/demo.json'));
    start('server/bin/assay.mjs', 'start', '--config', '.assay/demo.yaml');
    await ready(demo.apiUrl);
    return { ...demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  function start(file: string, ...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [join(ROOT, file), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Unread output would fill the pipe.
    child.stdout!.resume();
    child.stderr!.resume();
    children.push(child);
    return child;
  }

  async function stop(): Promise<void> {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function readDemo(file: string): Promise<DemoServer> {
  return JSON.parse(await readFile(file, 'utf8')) as DemoServer;
}

function said(child: ChildProcess, wanted: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (data: Buffer) => {
      text += data;
      if (wanted.test(text)) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('close', () => reject(new Error(`it ended without saying ${wanted}: ${text}`)));
  });
}

async function ready(apiUrl: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${apiUrl}/health/ready`).catch(() => undefined);
    if (answer?.ok && ((await answer.json()) as { missing: unknown[] }).missing.length === 0)
      return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
