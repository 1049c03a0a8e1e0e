import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuMsOfFamily } from './cpu.ts';

export interface Postgres {
  readonly pid: number;
  readonly version: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Returns the CPU of the server and its children; null if the system does not report it. */
  cpuMs(): number | null;
  stop(): Promise<void>;
}

export class PostgresMissing extends Error {
  constructor() {
    super(
      'No PostgreSQL found: install it (apt-get install postgresql) or put initdb on the PATH.',
    );
    this.name = 'PostgresMissing';
  }
}

/** Starts a server in a temporary folder with default settings: every commit reaches the disk, for all contenders. */
export async function startPostgres(): Promise<Postgres> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-postgres-'));
  const owner = serverUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    { ...owner, cwd: folder, stdio: 'ignore' },
  );
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    { ...owner, cwd: folder, stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  // The data is not needed after the run, so there is no orderly shutdown.
  const killOnExit = () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', killOnExit);

  const url = (database: string) => `postgres://bench@127.0.0.1:${port}/${database}`;
  const version = await untilReady(url('postgres'), exited);
  return {
    pid: server.pid!,
    version,
    async createDatabase(name) {
      await withClient(url('postgres'), (client) => client.query(`create database ${name}`));
      return url(name);
    },
    cpuMs: () => cpuMsOfFamily(server.pid),
    async stop() {
      process.off('exit', killOnExit);
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns a port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(url: string, exited: Promise<void>): Promise<string> {
  const gone = exited.then(() => {
    throw new Error('PostgreSQL ended while starting.');
  });
  gone.catch(() => {});
  for (;;) {
    const attempt = withClient(url, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]!.server_version;
    });
    try {
      return await Promise.race([attempt, gone]);
    } catch (error) {
      if (!isStarting(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function isStarting(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === 'ECONNREFUSED' || code === '57P03';
}

function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const folders = [
    ...versions.sort((a, b) => b - a).map((version) => join(debian, String(version), 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new PostgresMissing();
  return found;
}

/** PostgreSQL does not run as root, so it then runs as the user that its package created. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
