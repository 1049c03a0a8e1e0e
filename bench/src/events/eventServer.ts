import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assayConfig } from '../assayRun.ts';
import { cpuMsOf } from '../cpu.ts';
import { repository } from '../folders.ts';
import { freePort } from '../postgres.ts';
import { ended } from '../vaultApi/worker.ts';

/** `assay serve` in a separate process, with these webhook endpoints. */
export interface EventServer {
  readonly port: number;
  cpuMs(): number;
  peakMb(): number;
  stop(): Promise<void>;
}

export async function startEventServer(options: {
  readonly databaseUrl: string;
  /** By name. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly profileFolder?: string | undefined;
}): Promise<EventServer> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-events-'));
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhooks = Object.entries(options.endpoints).map(
    ([name, url]) =>
      `  - { name: ${name}, url: "${url}", secrets: ["${secret}"], allowPrivate: true }`,
  );
  const config = join(folder, 'assay.yaml');
  const http = 'http: { drainSeconds: 0, rateLimit: { perSecond: 0, connections: 5000 } }';
  writeFileSync(config, `${http}\nwebhooks:\n${webhooks.join('\n')}\n${assayConfig()}`);
  const port = await freePort();
  const { profileFolder } = options;
  const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', profileFolder] : [];
  const program = [join(repository, 'server/bin/assay.mjs'), 'serve', '--config', config];
  const child = spawn(process.execPath, [...profile, ...program], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl,
      // Nothing is read from a chain here.
      BENCH_RPC_URL: 'http://127.0.0.1:9',
      PORT: String(port),
      ADMIN_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stdout.on('data', (text) => {
      log = (log + text).slice(-4_000);
      if (log.includes('"the API is ready"')) resolve();
    });
    child.once('exit', () => reject(new Error(`assay serve ended: ${log}`)));
  });
  child.stdout.removeAllListeners('data').resume();
  return {
    port,
    cpuMs: () => cpuMsOf(child.pid) ?? Number.NaN,
    peakMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      process.off('exit', killOnExit);
      await ended(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
