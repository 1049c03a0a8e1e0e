import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from '../../devnet/src/index.ts';
import { pause } from '../src/runtime/pause.ts';
import { chains } from '../src/store/chains/chains.ts';
import { openPostgres } from '../src/store/postgres.ts';
import type { Random } from './activity.ts';
import { databaseUrl, onServer } from './database.ts';
import { FINE_CHAIN } from './faultRun.ts';
import { liveAt } from './indexing.ts';
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { type Member, startMember } from './production/cluster.ts';
import { SETTLED } from './settledTables.ts';
import { readRows, type TableRows } from './tableRows.ts';
import type { ServedWorld } from './world.ts';

const DATABASE = 'assay';
export const LEADS = 'this process indexes the chain';
const TIMEOUT_MS = 120_000;

/** Two servers and two indexers on a PostgreSQL with a replica and PgBouncer in session mode. */
export interface FaultCluster {
  /** The URL of the primary itself, without PgBouncer. */
  readonly url: string;
  readonly indexers: readonly Member[];
  readonly servers: readonly Member[];
  /** Injects a fault, lets the chains continue, and ends the fault. */
  fail(fault: Fault, random: Random): Promise<void>;
  /** Waits until everything on the chains is indexed. */
  untilLive(): Promise<void>;
  rows(): Promise<TableRows>;
  close(): Promise<void>;
}

export const FAULTS = [
  'kill',
  'hang',
  'terminate',
  'restart',
  'crash',
  'read-only',
  'pooler',
] as const;
export type Fault = (typeof FAULTS)[number];

/** With `direct`, one server and one indexer connect without PgBouncer. */
export async function startFaultCluster(
  served: ServedWorld,
  { direct }: { readonly direct: boolean },
): Promise<FaultCluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const primary = await ensurePostgres();
    closing.push(primary.stop);
    await onServer(primary.url, `create database ${DATABASE}`);
    const replica = await primary.startReplica();
    closing.push(replica.stop);
    const pgbouncer = await startPgbouncer(primary.url, 'session');
    closing.push(pgbouncer.close);
    const folder = await mkdtemp(join(tmpdir(), 'assay-faults-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    const config = join(folder, 'assay.yaml');
    await writeFile(config, served.yaml({ chain: { ...FINE_CHAIN, timeoutSeconds: 60 } }));
    const url = databaseUrl(primary.url, DATABASE);
    const members: Member[] = [];
    for (const command of ['serve', 'index'] as const) {
      for (const DATABASE_URL of [direct ? url : pgbouncer.urlOf(url), pgbouncer.urlOf(url)]) {
        const env = { DATABASE_URL, DATABASE_REPLICA_URL: databaseUrl(replica.url, DATABASE) };
        const { member, end } = await startMember(command, config, env);
        closing.push(end);
        members.push(member);
      }
    }
    const parts = { served, primary, pgbouncer, url, close };
    return createCluster(parts, members);
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly served: ServedWorld;
  readonly primary: PostgresProcess;
  readonly pgbouncer: Pgbouncer;
  readonly url: string;
  close(): Promise<void>;
}

function createCluster(parts: Parts, members: readonly Member[]): FaultCluster {
  const { served, primary, pgbouncer, url, close } = parts;
  const indexers = members.filter(({ command }) => command === 'index');
  const servers = members.filter(({ command }) => command === 'serve');
  return { url, indexers, servers, fail, untilLive, rows, close };

  async function fail(fault: Fault, random: Random): Promise<void> {
    switch (fault) {
      case 'kill':
        await advance();
        await pause(random.int(500));
        return random.pick(indexers).kill();
      case 'hang':
        return hang(random);
      case 'terminate':
        await advance();
        return onServer(
          primary.url,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE}'`,
        );
      case 'restart':
      case 'crash':
        await primary.halt(fault === 'crash' ? 'kill' : 'fast');
        await advance();
        await pause(random.int(3_000));
        return primary.start();
      case 'read-only':
        await setReadOnly('on');
        await advance();
        await pause(random.int(3_000));
        return setReadOnly('off');
      case 'pooler':
        await advance();
        return pgbouncer.restart();
    }
  }

  /** Pauses one indexer. The other takes over its chains; then both run. */
  async function hang(random: Random): Promise<void> {
    const leading = indexers.filter((member) => member.says(LEADS));
    const hung = random.pick(leading.length > 0 ? leading : indexers);
    await advance();
    await pause(random.int(500));
    hung.hang();
    try {
      await advance();
      await untilLive();
    } finally {
      hung.goOn();
    }
  }

  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await onServer(primary.url, `alter system set default_transaction_read_only = ${value}`);
    await onServer(primary.url, 'select pg_reload_conf()');
  }

  async function advance(): Promise<void> {
    for (const { chainId, chain } of served.world.chains) {
      await step(served.world, chainId, chain.tip.time + 400);
    }
  }

  async function untilLive(): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    const isLive = liveAt(served.heads());
    for (;;) {
      const found = await withStore((store) => chains.getAll(store)).catch(() => []);
      if (isLive(found)) return;
      if (performance.now() > end) {
        const logs = members.map((member) => member.log().slice(-2_000)).join('\n\n');
        throw new Error(`still not there: ${JSON.stringify(found)}\n${logs}`);
      }
      await pause(200);
    }
  }

  function rows(): Promise<TableRows> {
    return withStore((store) => readRows(store, SETTLED));
  }

  async function withStore<T>(
    work: (store: Awaited<ReturnType<typeof openPostgres>>) => Promise<T>,
  ): Promise<T> {
    const store = await openPostgres({ url });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
}
