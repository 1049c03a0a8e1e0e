import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLive } from '../../devnet/src/index.ts';
import { pause } from '../src/runtime/pause.ts';
import { type RunningCommand, startCommand } from './commandLine.ts';
import { createDatabase } from './database.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { freePort } from './freePort.ts';
import { startBuying } from './production/buyers.ts';
import { type Member, sellRisk } from './production/cluster.ts';
import { type ProxyServer, recipeOf, startProxyWith } from './proxies.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const CLIENTS = 6;
/**
 * More than twice the time that HAProxy needs to notice an unready server: two checks of up to 3 seconds, one second
 * apart.
 */
const DRAIN_SECONDS = 20;
const NAMES = ['one', 'two'] as const;

describe.runIf(HAS_PACKAGES)('two servers behind HAProxy', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const ports = new Map<string, number>();
  const servers = new Map<string, RunningCommand>();
  let served: ServedWorld;
  let env: Record<string, string>;
  let config: string;
  let proxy: ProxyServer;

  beforeAll(async () => {
    const now = () => Math.floor(Date.now() / 1000);
    served = await serveWorld({ seed: 'rolling restart', anchor: now(), clock: now });
    closing.push(served.close);
    const folder = await mkdtemp(join(tmpdir(), 'assay-rolling-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    config = join(folder, 'assay.yaml');
    await writeFile(config, served.yaml({ edit: sellRisk(served) }));
    const database = await createDatabase('postgres');
    closing.push(database.drop);
    env = { DATABASE_URL: database.config.databaseUrl! };
    const indexer = startCommand(['index', '--config', config], env);
    closing.push(() => indexer.end('SIGKILL'));
    closing.push(() => Promise.all([...servers.values()].map((server) => server.end('SIGKILL'))));
    let recipe = recipeOf('haproxy', '127.0.0.1:8082').replace(
      'option forwardfor',
      'option forwardfor\n    http-response set-header x-served-by %s',
    );
    for (const [i, name] of NAMES.entries()) {
      const port = await freePort();
      ports.set(name, port);
      recipe = recipe.replace(`127.0.0.1:${8081 + i}`, `127.0.0.1:${port}`);
      start(name, DRAIN_SECONDS);
    }
    for (const server of servers.values()) await server.says(/the API is ready/, 120);
    // HAProxy treats a server as ready until its first checks have failed.
    for (const port of ports.values()) await untilReady(port);
    const live = startLive(served.world, { everySeconds: 1, now });
    closing.push(live.stop);
    proxy = await startProxyWith('haproxy', recipe);
    closing.push(proxy.close);
    for (const name of NAMES) await untilServed(name);
  }, 400_000);
  afterAll(async () => {
    for (const end of closing.reverse()) await end();
  }, 60_000);

  function start(name: string, drainSeconds: number): void {
    const own = { PORT: String(ports.get(name)), DRAIN_SECONDS: String(drainSeconds) };
    servers.set(
      name,
      startCommand(['serve', '--config', config], { ...env, ...own, ADMIN_PORT: '0' }),
    );
  }

  /** Waits until the initial backfill is complete. */
  async function untilReady(port: number): Promise<void> {
    const ready = async () => {
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    };
    await vi.waitFor(ready, { timeout: 120_000, interval: 100 });
  }

  /** Waits until HAProxy treats the server as ready. */
  async function untilServed(name: string): Promise<void> {
    const agent = new http.Agent();
    const served = async () => {
      expect((await ask(`${proxy.url}/v1/vaults`, agent)).servedBy).toBe(name);
    };
    await vi.waitFor(served, { timeout: 120_000, interval: 20 });
  }

  /** Reads repeatedly on one connection until stopped; every response other than 200 is an error. */
  function startReading() {
    const faults: string[] = [];
    const answers = new Map<string, number>();
    const paths = ['/v1/vaults', ...served.world.families.map(({ slug }) => `/v1/vaults/${slug}`)];
    let over = false;
    const reading = Array.from({ length: CLIENTS }, async (_, client) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let turn = client; !over; turn++) {
        const path = paths[turn % paths.length]!;
        const { status, servedBy, error } = await ask(proxy.url + path, agent);
        if (status !== 200)
          faults.push(`${path}: ${status ?? error} from ${servedBy || 'HAProxy'}`);
        answers.set(servedBy, (answers.get(servedBy) ?? 0) + 1);
        await pause(5);
      }
      agent.destroy();
    });
    return {
      faults,
      answers,
      async stop() {
        over = true;
        await Promise.all(reading);
      },
    };
  }

  /** Returns the output of HAProxy and the servers, for a failed test. */
  function said(): string {
    const logs = [...servers].map(([name, server]) => `${name}:\n${server.output()}`);
    return [proxy.output(), ...logs].join('\n');
  }

  async function restart(name: string, drainSeconds: number): Promise<void> {
    expect(await servers.get(name)!.end('SIGTERM')).toBe(0);
    start(name, drainSeconds);
    await servers.get(name)!.says(/the API is ready/, 120);
    await untilServed(name);
  }

  test('behavior: no client gets an error during a rolling restart', async () => {
    const reading = startReading();
    const buying = startBuying([{ url: proxy.url } as Member], served.world.wallets.slice(0, 2));
    for (const name of NAMES) await restart(name, 0);
    await buying.stop();
    await reading.stop();
    expect(reading.faults, said()).toEqual([]);
    for (const name of NAMES) expect(reading.answers.get(name)).toBeGreaterThan(0);
    expect(buying.purchases.length).toBeGreaterThan(2);
    for (const { body, said, nonces } of buying.purchases) {
      expect(said).toEqual(['402 payment_required']);
      expect([body !== undefined, nonces.length]).toEqual([true, 1]);
    }
  }, 400_000);

  test('error: without the drain, clients get errors', async () => {
    const reading = startReading();
    for (let tries = 0; tries < 5 && reading.faults.length === 0; tries++) {
      for (const name of NAMES) await restart(name, 0);
    }
    await reading.stop();
    expect(reading.faults.length).toBeGreaterThan(0);
  }, 600_000);
});

interface Reply {
  readonly status: number | undefined;
  readonly servedBy: string;
  readonly error?: string | undefined;
}

function ask(url: string, agent: http.Agent): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: undefined, servedBy: '', error: error.code });
    const request = http.get(url, { agent }, (response) => {
      response.resume();
      response.on('error', fail);
      response.on('end', () => {
        const servedBy = String(response.headers['x-served-by'] ?? '');
        resolve({ status: response.statusCode, servedBy });
      });
    });
    request.on('error', fail);
  });
}
