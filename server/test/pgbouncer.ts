import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraryPath, unpackPackages } from './debianPackages.ts';
import { freePort } from './freePort.ts';
import { findAccount } from './postgresServer.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** Debian's PgBouncer in front of a test PostgreSQL server. */
export interface Pgbouncer {
  /** Returns the URL of the same database through PgBouncer. */
  urlOf(databaseUrl: string): string;
  /** Changes the pool mode while it runs, as an operator does; connections stay open. */
  reload(mode: PoolMode): Promise<void>;
  /** Closes all connections and restarts. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startPgbouncer(
  server: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const root = await unpackPackages(['pgbouncer']);
  const account = await findAccount();
  const folder = await mkdtemp(join(tmpdir(), 'assay-pgbouncer-'));
  // PgBouncer refuses to run as root, and its own user may not be able to read the clone.
  await chmod(folder, 0o755);
  await cp(join(root, 'usr'), join(folder, 'usr'), { recursive: true });
  if (account) await chown(folder, account.uid, account.gid);
  const env = { LD_LIBRARY_PATH: await libraryPath(folder) };
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n');
  await configure(mode);
  let running = await start();

  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    async reload(next) {
      await configure(next);
      const reread = running.says(/got SIGHUP, re-reading config/);
      running.child.kill('SIGHUP');
      await reread;
    },
    async restart() {
      await running.end();
      running = await start();
    },
    async close() {
      await running.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };

  function configure(poolMode: PoolMode): Promise<void> {
    const { hostname, port: target } = new URL(server);
    const all = {
      ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', pool_mode: poolMode },
      ...{ auth_type: 'trust', auth_file: join(folder, 'users.txt'), max_client_conn: 500 },
      ...{ default_pool_size: 100, server_login_retry: 1, ...settings },
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    return writeFile(
      file,
      ['[databases]', `* = host=${hostname} port=${target}`, '[pgbouncer]', ...lines, ''].join(
        '\n',
      ),
    );
  }

  async function start(): Promise<Running> {
    // setpriv stops it when the test run ends for any reason.
    const program = join(folder, 'usr/sbin/pgbouncer');
    const child = spawn('setpriv', ['--pdeathsig', 'INT', '--', program, file], {
      ...{ cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
      ...account,
    });
    const started = watchLog(child);
    await started.says(/process up/);
    return started;
  }
}

interface Running {
  readonly child: ChildProcess;
  /** Waits for a line that is logged after this call. */
  says(pattern: RegExp): Promise<void>;
  end(): Promise<void>;
}

function watchLog(child: ChildProcess): Running {
  let log = '';
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stderr!.on('data', (chunk: Buffer) => {
    log = (log + chunk).slice(-20_000);
  });
  return {
    child,
    says(pattern) {
      let since = '';
      return new Promise((resolve, reject) => {
        const look = (chunk: Buffer) => {
          since += chunk;
          if (!pattern.test(since)) return;
          child.stderr!.off('data', look);
          resolve();
        };
        child.stderr!.on('data', look);
        void exited.then(() => reject(new Error(`PgBouncer ended: ${log}`)));
      });
    },
    async end() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
