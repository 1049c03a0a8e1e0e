import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLive } from '../../../devnet/src/index.ts';
import { pause } from '../../src/runtime/pause.ts';
import { type RunningCommand, startCommand } from '../commandLine.ts';
import { databaseUrl, onServer } from '../database.ts';
import { createFaultyRpc, type FaultyRpc } from '../faultyRpc.ts';
import { freePort } from '../freePort.ts';
import { ensurePostgres, type PostgresProcess } from '../postgresServer.ts';
import { type ServedWorld, serveWorld, type WorldFile } from '../world.ts';

/** A process that is restarted at the same address whenever it ends. */
export interface Member {
  readonly command: 'serve' | 'index';
  /** The URL of a server. */
  readonly url: string;
  /** Kills the process with `kill -9`, after which it restarts; resolves when it is gone. */
  kill(): Promise<void>;
  /** Pauses the process (SIGSTOP) until `goOn`. */
  hang(): void;
  goOn(): void;
  log(): string;
  /** Returns whether the current process has logged this text. */
  says(text: string): boolean;
}

/** Two servers and two indexers on a PostgreSQL with a replica, over chains that keep growing. */
export interface Cluster {
  readonly served: ServedWorld;
  readonly primary: PostgresProcess;
  readonly replica: PostgresProcess;
  /** The proxy in front of one of the chains. */
  readonly rpc: FaultyRpc;
  readonly members: readonly Member[];
  readonly servers: readonly Member[];
  /** The configuration that all of them read. */
  readonly yaml: string;
  /** Stops the chains from growing. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE = 'assay';
export const PAYMENT_CHAIN = 8453;
export const SHAKY_CHAIN = 42161;

export async function startCluster(seed: string): Promise<Cluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const now = () => Math.floor(Date.now() / 1000);
    const served = await serveWorld({ seed, anchor: now(), clock: now });
    closing.push(served.close);
    const rpc = await createFaultyRpc({ target: served.urlOf(SHAKY_CHAIN) });
    closing.push(rpc.close);
    const primary = await ensurePostgres();
    closing.push(primary.stop);
    await onServer(primary.url, `create database ${DATABASE}`);
    const replica = await primary.startReplica();
    closing.push(replica.stop);
    const folder = await mkdtemp(join(tmpdir(), 'assay-cluster-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    const yaml = served.yaml({
      rpc: { [SHAKY_CHAIN]: [rpc.url] },
      chain: { pollSeconds: 0.2, timeoutSeconds: 2 },
      edit: sellRisk(served),
    });
    const config = join(folder, 'assay.yaml');
    await writeFile(config, yaml);
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`;
    const env = {
      DATABASE_URL: `postgres://postgres@${hosts}/${DATABASE}`,
      DATABASE_REPLICA_URL: databaseUrl(replica.url, DATABASE),
    };
    const members: Member[] = [];
    closing.push(() => Promise.all(ends.map((end) => end())));
    const ends: (() => Promise<void>)[] = [];
    for (const command of ['serve', 'serve', 'index', 'index'] as const) {
      const { member, end } = await startMember(command, config, env);
      members.push(member);
      ends.push(end);
    }
    const live = startLive(served.world, { everySeconds: 1, now });
    closing.push(live.stop);
    const servers = members.filter(({ command }) => command === 'serve');
    return { served, primary, replica, rpc, members, servers, yaml, rest: live.stop, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function sellRisk({ world }: ServedWorld): (file: WorldFile) => void {
  return (file) =>
    Object.assign(file, {
      payments: {
        chain: PAYMENT_CHAIN,
        asset: world.stablecoin,
        payTo: world.payTo.address,
        publicUrl: 'https://risk.example',
        facilitator: { keys: world.facilitators.map(({ privateKey }) => privateKey) },
      },
    });
}

export async function startMember(
  command: Member['command'],
  config: string,
  env: Readonly<Record<string, string>>,
): Promise<{ member: Member; end: () => Promise<void> }> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const own = { ...env, PORT: String(port), ADMIN_PORT: String(adminPort) };
  let log = '';
  let over = false;
  let running = start();

  function start(): RunningCommand {
    const started = startCommand([command, '--config', config], own);
    void started.exit.then(async () => {
      log += started.output() + started.errors();
      // Restarts it as a service manager would, also after it ended by itself, for example without a database.
      if (over) return;
      await pause(200);
      if (!over) running = start();
    });
    return started;
  }

  return {
    member: {
      command,
      url: `http://127.0.0.1:${port}`,
      log: () => log + running.output() + running.errors(),
      says: (text) => (running.output() + running.errors()).includes(text),
      async kill() {
        await running.end('SIGKILL');
      },
      hang: () => void process.kill(running.pid, 'SIGSTOP'),
      goOn: () => void process.kill(running.pid, 'SIGCONT'),
    },
    async end() {
      over = true;
      await running.end('SIGKILL');
    },
  };
}
