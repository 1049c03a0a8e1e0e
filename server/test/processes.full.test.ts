import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { type Store, statement } from '../src/store/store.ts';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { withDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { type StatusChain, statusLiveAt } from './runningApp.ts';
import { SETTLED } from './settledTables.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const LEADS = (chainId: number) =>
  new RegExp(`"chainId":${chainId},"msg":"this process indexes the chain"`);

const taken = statement('test.processes.taken', 'select key from limit_use where taken = $1');

let served: ServedWorld;
let folder: string;
const running: RunningCommand[] = [];
beforeAll(async () => {
  served = await serveWorld({ seed: 'processes' });
  folder = await mkdtemp(join(tmpdir(), 'assay-processes-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((command) => command.end('SIGKILL')));
});
afterAll(async () => {
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

function start(command: string, config: string, env: Record<string, string> = {}): RunningCommand {
  const started = startCommand([command, '--config', config], env);
  running.push(started);
  return started;
}

async function portOf(command: RunningCommand): Promise<string> {
  return (await command.says(/"port":(\d+),"msg":"the API is ready"/))[1]!;
}

async function until(port: string, done: (chains: readonly StatusChain[]) => boolean) {
  const end = performance.now() + 40_000;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`);
    const { chains } = (await response.json()) as { chains: StatusChain[] };
    if (done(chains)) return;
    if (performance.now() > end) throw new Error(`still not there: ${JSON.stringify(chains)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('two indexers on one PostgreSQL', () => {
  let undisturbed: Reference;
  beforeAll(async () => {
    undisturbed = await indexUndisturbed(served);
  });
  afterAll(() => undisturbed?.drop());

  async function live(port: string): Promise<void> {
    for (let i = 0; i < 3; i++) {
      for (const { chainId, chain } of served.world.chains) {
        await step(served.world, chainId, chain.tip.time + 400);
      }
      await undisturbed.catchUp();
      await until(port, statusLiveAt(served.heads()));
    }
  }

  test('behavior: one leads; after a kill, the other takes over', async () => {
    const config = join(folder, 'postgres.yaml');
    await writeFile(config, served.yaml({ chain: FINE_CHAIN }));
    const chainIds = served.world.chains.map(({ chainId }) => chainId);
    await withDatabase('postgres', async (database) => {
      const env = { DATABASE_URL: database.config.databaseUrl! };
      const port = await portOf(start('serve', config, env));
      const first = start('index', config, env);
      await Promise.all(chainIds.map((chainId) => first.says(LEADS(chainId))));
      const second = start('index', config, env);
      // Kills it during the backfill.
      await first.says(/"msg":"indexed"/);
      await first.end('SIGKILL');
      await Promise.all(chainIds.map((chainId) => second.says(LEADS(chainId), 10)));
      await until(port, statusLiveAt(served.heads()));
      const third = start('index', config, env);
      await live(port);
      expect(third.output()).not.toMatch(/this process indexes/);
      await second.end('SIGKILL');
      await Promise.all(chainIds.map((chainId) => third.says(LEADS(chainId), 10)));
      await live(port);
      const rows = await readRows(await database.open(), SETTLED);
      expect(rows).toEqual(await undisturbed.rows(SETTLED));
      expect(await third.end('SIGTERM')).toBe(0);
    });
  });

  test('error: no database', async () => {
    const config = join(folder, 'none.yaml');
    await writeFile(config, served.yaml({ storeFolder: join(folder, 'none') }));
    for (const command of ['index', 'serve']) {
      const { code, out, err } = await runCommand([command, '--config', config]);
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: `assay: assay ${command} needs DATABASE_URL: the embedded database allows only one process, so use assay start\n`,
      });
    }
  });
});

describe('two servers on one PostgreSQL', () => {
  test('behavior: requests to one server count against the limit of the other', async () => {
    const config = join(folder, 'limited.yaml');
    const rateLimit = {
      ...{ perSecond: 1, burst: 60, loopback: true },
      // The proxy's header identifies clients on this machine.
      trustedProxies: ['127.0.0.1'],
    };
    await writeFile(
      config,
      served.yaml({ edit: ({ http }) => Object.assign(http, { rateLimit }) }),
    );
    await withDatabase('postgres', async (database) => {
      const env = { DATABASE_URL: database.config.databaseUrl! };
      const [one, two] = await Promise.all([
        portOf(start('serve', config, env)),
        portOf(start('serve', config, env)),
      ]);
      const store = await database.open();
      // A server's first exchange reads the counts from before it, which do not count there.
      await exchanged(store, two, 2);
      const began = performance.now();
      expect(await served200(one, 60)).toBe(60);
      await published(store, 60);
      // The later exchange starts only after the earlier one has been applied.
      await exchanged(store, two, 3);
      await exchanged(store, two, 4);
      const more = await served200(two, 100);
      const seconds = (performance.now() - began) / 1000;
      expect(more).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    });
  });

  async function served200(port: string, count: number): Promise<number> {
    const statuses = await Promise.all(Array.from({ length: count }, () => request(port, 1)));
    return statuses.filter((status) => status === 200).length;
  }

  async function request(port: string, client: number): Promise<number> {
    const headers = { 'x-forwarded-for': `203.0.113.${client}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/vaults`, { headers });
    await response.arrayBuffer();
    expect([200, 429]).toContain(response.status);
    return response.status;
  }

  /** Waits for the next exchange of a server: sends a unique number of requests as a client and waits for its row. */
  async function exchanged(store: Store, port: string, client: number): Promise<void> {
    for (let i = 0; i < client; i++) await request(port, client);
    await published(store, client);
  }

  async function published(store: Store, count: number): Promise<void> {
    const rows = async () => (await store.query(taken, [count])).length;
    await expect.poll(rows, { interval: 20 }).toBeGreaterThan(0);
  }
});

describe('a second process on a PGlite folder', () => {
  test('error: it exits with one line', async () => {
    const config = join(folder, 'pglite.yaml');
    const storeFolder = join(folder, 'store');
    await writeFile(config, served.yaml({ chain: FINE_CHAIN, storeFolder }));
    const first = start('start', config);
    const port = await portOf(first);
    for (const command of ['start', 'migrate']) {
      const { code, out, err } = await runCommand([command, '--config', config]);
      expect({ code, out, err }).toEqual({
        code: 1,
        out: '',
        err: `assay: the store folder ${storeFolder} is in use by process ${first.pid}: stop it, or choose another folder\n`,
      });
    }
    await until(port, statusLiveAt(served.heads()));
    expect(await first.end('SIGTERM')).toBe(0);
  });
});
