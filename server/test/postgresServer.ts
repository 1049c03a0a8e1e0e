import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CAN_INSTALL, installPackage } from './aptGet.ts';
import { freePort } from './freePort.ts';

const run = promisify(execFile);

export interface PostgresServer {
  /** URL of the maintenance database `postgres`; its user is a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export class PostgresMissing extends Error {
  override readonly name = 'PostgresMissing';

  constructor() {
    super(
      'No PostgreSQL server programs found; tests start a server from them. Install them (Debian: apt-get install postgresql; macOS: brew install postgresql@17), or put postgres and initdb on the PATH.',
    );
  }
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A server that can be stopped and restarted, and can have a replica. */
export interface PostgresProcess extends PostgresServer {
  readonly port: number;
  /** The data folder. */
  readonly data: string;
  start(): Promise<void>;
  /** `fast` closes all connections and flushes to disk; `kill` simulates a crash. */
  halt(how: 'fast' | 'kill'): Promise<void>;
  /** Starts a streaming replica and waits until it has caught up. */
  startReplica(): Promise<PostgresProcess>;
  /** Promotes a replica, which then accepts writes. */
  promote(): Promise<void>;
}

/** Settings in addition to those of every test server. */
export type Settings = Readonly<Record<string, string>>;

/** Starts a separate PostgreSQL server in a temporary folder, on a free loopback port. */
export async function ensurePostgres(settings: Settings = {}): Promise<PostgresProcess> {
  const bin = findPrograms() ?? (await installPrograms());
  const account = await findAccount();
  return createProcess({ bin, account, settings }, (data, options) =>
    run(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      options,
    ),
  );
}

type RunOptions = { cwd: string } & Partial<Account>;

async function createProcess(
  programs: {
    readonly bin: string;
    readonly account: Account | undefined;
    readonly settings: Settings;
  },
  fill: (data: string, options: RunOptions) => Promise<unknown>,
): Promise<PostgresProcess> {
  const { bin, account, settings } = programs;
  const folder = await mkdtemp(join(tmpdir(), 'assay-postgres-'));
  if (account) await chown(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...account };
  await fill(data, options);
  const port = await freePort();
  let running: { readonly server: ChildProcess; readonly exited: Promise<void> } | undefined;
  let guard: ChildProcess | undefined;
  await start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { url, port, data, start, halt, startReplica, promote, stop };

  async function start(): Promise<void> {
    const server = spawn(join(bin, 'postgres'), serverArguments(data, folder, port, settings), {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    guard?.kill();
    guard = guardServer(server.pid!, folder);
    const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    running = { server, exited };
    await new Promise<void>((resolve, reject) => {
      let log = '';
      server.stderr!.on('data', (chunk: Buffer) => {
        log += chunk;
        if (/ready to accept (read-only )?connections/.test(log)) resolve();
      });
      void exited.then(() => reject(new Error(`the PostgreSQL server did not start: ${log}`)));
    });
    // Reads the log without end, because the server blocks when the pipe is full.
    server.stderr!.removeAllListeners('data').resume();
  }

  async function halt(how: 'fast' | 'kill'): Promise<void> {
    running?.server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await running?.exited;
  }

  function startReplica(): Promise<PostgresProcess> {
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    const flags = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    return createProcess(programs, (copy, own) =>
      run(join(bin, 'pg_basebackup'), ['-D', copy, ...source, ...flags], own),
    );
  }

  async function promote(): Promise<void> {
    await run(join(bin, 'pg_ctl'), ['promote', '-D', data, '-w', '-t', '20'], options);
  }

  async function stop(): Promise<void> {
    await halt('fast');
    guard?.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

// Prefers speed over safety, because the data is needed only during the run.
function serverArguments(data: string, folder: string, port: number, more: Settings): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    checkpoint_timeout: '1h',
    max_wal_size: '1GB',
    shared_buffers: '64MB',
    max_connections: 200,
    wal_retrieve_retry_interval: '200ms',
    ...more,
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, v]) => ['-c', `${name}=${v}`])];
}

// A killed test run would leave the server running. This child process stops it when its own stdin closes for any
// reason.
function guardServer(pid: number, folder: string) {
  const script = `
    process.stdin.resume().on('end', () => {
      try { process.kill(${pid}, 'SIGQUIT'); } catch {}
      setTimeout(() => require('node:fs').rmSync(${JSON.stringify(folder)}, { recursive: true, force: true, maxRetries: 20 }), 500);
    });`;
  const guard = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return guard;
}

export function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))),
  );
}

async function installPrograms(): Promise<string> {
  if (!CAN_INSTALL) throw new PostgresMissing();
  await installPackage('postgresql');
  const found = findPrograms();
  if (!found) throw new PostgresMissing();
  return found;
}

// PostgreSQL refuses to run as root.
export async function findAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]).catch(
      () => undefined,
    );
    if (ids) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) };
  }
  throw new Error('PostgreSQL does not run as root: add a user postgres');
}
