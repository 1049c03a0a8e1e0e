import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { databaseUrl, onServer } from './database.ts';
import { freePort } from './freePort.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { type ServedWorld, serveWorld } from './world.ts';

let served: ServedWorld;
let folder: string;
let config: string;
let postgres: PostgresProcess;
beforeAll(async () => {
  served = await serveWorld({ seed: 'start-up' });
  folder = await mkdtemp(join(tmpdir(), 'assay-start-'));
  config = join(folder, 'assay.yaml');
  await writeFile(config, served.yaml());
  postgres = await ensurePostgres();
  await onServer(postgres.url, 'create database assay');
}, 120_000);
afterAll(async () => {
  await postgres?.stop();
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

function start(words: readonly string[], env: Record<string, string>): RunningCommand {
  const command = startCommand(words, env);
  onTestFinished(async () => void (await command.end('SIGKILL')));
  return command;
}

async function get(port: number, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const body = (await response.json()) as { detail?: string; status?: unknown };
  return { status: response.status, retry: response.headers.get('retry-after'), body };
}

/** Polls the liveness route from now on; returns the responses other than 200. */
function watchLife(port: number) {
  const faults: unknown[] = [];
  let over = false;
  const watching = (async () => {
    while (!over) {
      const status = await get(port, '/health/live').then(
        (reply) => reply.status,
        (error: Error) => error.cause ?? error,
      );
      if (status !== 200) faults.push(status);
    }
  })();
  return async () => {
    over = true;
    await watching;
    return faults;
  };
}

describe('a process that starts before its database', () => {
  test.each(['serve', 'index'])(
    'behavior: assay %s waits for it, and logs that',
    async (name) => {
      await postgres.halt('fast');
      const [port, adminPort] = [await freePort(), await freePort()];
      const env = {
        DATABASE_URL: databaseUrl(postgres.url, 'assay'),
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
      };
      const command = start([name, '--config', config], env);
      await command.says(/"msg":"waiting for the database; retrying"/, 60);
      const ports = name === 'serve' ? [port, adminPort] : [adminPort];
      const ends = ports.map(watchLife);
      for (const one of ports) {
        for (const path of ['/health/ready', '/v1/vaults', '/metrics']) {
          expect(await get(one, path)).toMatchObject({
            status: 503,
            retry: '5',
            body: {
              detail:
                'not ready: the server is starting (waiting for the database); try again soon',
            },
          });
        }
      }
      await command.says(/"msg":"still waiting for the database"/, 60);
      await postgres.start();
      await command.says(/"msg":"the database responds"/, 60);
      await command.says(name === 'serve' ? /the API is ready/ : /this process indexes/, 60);
      expect((await get(adminPort, '/health/ready')).body).toEqual({ status: 'ready' });
      if (name === 'serve') expect((await get(port, '/v1/status')).status).toBe(200);
      for (const end of ends) expect(await end()).toEqual([]);
      const waits = command.output().match(/waiting for the database; retrying/g);
      expect(waits).toHaveLength(1);
      expect(command.output() + command.errors()).not.toContain(String(postgres.port));
    },
    240_000,
  );

  test('behavior: a signal ends the wait', async () => {
    const nobody = `postgres://assay@127.0.0.1:${await freePort()}/assay`;
    const command = start(['index', '--config', config], { DATABASE_URL: nobody });
    await command.says(/"msg":"waiting for the database; retrying"/, 60);
    expect(await command.end('SIGTERM')).toBe(0);
    expect(command.output()).toMatch(/"msg":"stopped during startup"/);
  }, 120_000);

  test('error: a permanent error ends it at once', async () => {
    const url = (text: string) => runCommand(['serve', '--config', config], { DATABASE_URL: text });
    expect(await url(databaseUrl(postgres.url, 'unknown'))).toMatchObject({
      code: 1,
      err: 'assay: the database refuses the connection: check the user, password and database name in DATABASE_URL\n',
    });
    await onServer(postgres.url, `create role assay superuser login password 'right'`);
    await writeFile(
      join(postgres.data, 'pg_hba.conf'),
      'host all assay all scram-sha-256\nhost all all all trust\n',
    );
    await onServer(postgres.url, 'select pg_reload_conf()');
    for (const user of ['assay', 'assay:wrong']) {
      const { code, err } = await url(`postgres://${user}@127.0.0.1:${postgres.port}/assay`);
      expect([code, err]).toEqual([1, expect.stringMatching(/refuses the connection: check/)]);
    }
    const wrong = await url('postgres://assay:a/b@127.0.0.1:5432/assay');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/DATABASE_URL must be a valid URL; check host and port/);
    expect(wrong.err).not.toContain('a/b');
  }, 120_000);

  test('error: a short command does not wait', async () => {
    const nobody = `postgres://assay@127.0.0.1:${await freePort()}/assay`;
    expect(await runCommand(['migrate', '--config', config], { DATABASE_URL: nobody })).toEqual({
      code: 1,
      out: '',
      err: 'assay: the database does not answer: check that it runs and that DATABASE_URL points to it\n',
    });
  }, 60_000);
});

describe('a server that receives SIGTERM', () => {
  test('behavior: it is unready and continues to serve; a second signal ends it at once', async () => {
    const port = await freePort();
    const command = start(['serve', '--config', config], {
      DATABASE_URL: databaseUrl(postgres.url, 'assay'),
      PORT: String(port),
      ADMIN_PORT: '0',
      DRAIN_SECONDS: '3600',
    });
    await command.says(/the API is ready/, 120);
    const ended = command.end('SIGTERM');
    // Repeats the same Ctrl-C, because npm and the terminal both send it.
    process.kill(command.pid, 'SIGINT');
    await command.says(/"drainSeconds":3600,"msg":"stopping"/);
    expect(await get(port, '/health/ready')).toMatchObject({
      status: 503,
      retry: '5',
      body: { detail: 'not ready: the server is shutting down' },
    });
    expect((await get(port, '/v1/vaults')).status).toBe(200);
    expect((await get(port, '/health/live')).status).toBe(200);
    // Signals shortly after the first count as the same signal.
    const signalAgain = () => {
      void command.end('SIGTERM');
      return command.output();
    };
    await expect.poll(signalAgain).toMatch(/ended by a second signal/);
    expect(await ended).toBe(1);
  }, 180_000);
});

describe('the first start of an embedded database', () => {
  test('behavior: it responds from the start, and reports its progress', async () => {
    const own = join(folder, 'embedded.yaml');
    await writeFile(own, served.yaml({ storeFolder: join(folder, 'store') }));
    const port = await freePort();
    const command = start(['start', '--config', own], { PORT: String(port) });
    await command.says(/"msg":"creating the embedded database"/, 60);
    const alive = watchLife(port);
    expect(await get(port, '/health/ready')).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/^not ready: the server is starting \(/) },
    });
    await command.says(/"msg":"opening the embedded database"/, 120);
    await command.says(/the API is ready/, 120);
    expect((await get(port, '/v1/vaults')).status).toBe(200);
    expect(await alive()).toEqual([]);
    expect(await command.end('SIGINT')).toBe(0);
  }, 400_000);
});
