import type pg from 'pg';
import type { Cluster } from './cluster.ts';
import { CONNECT_MS } from './deadlines.ts';
import { cut } from './heartbeat.ts';
import { createWaits, type MeasuredPool, type PoolUse, poolUse } from './poolUse.ts';
import { connect, createPool, type Greeting, greet, type PoolOptions } from './postgresClient.ts';
import { isOutage } from './postgresFault.ts';
import { createHosts, type Target } from './postgresHosts.ts';
import type { SessionCheck } from './sessionCheck.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Connections to the newest primary, whichever host of the URL that is now. */
export interface PrimaryPool {
  use(): Promise<pg.Pool>;
  /** A separate connection, outside the pool. */
  connect(): Promise<pg.Client>;
  /** Throws StoreUnavailable if connections do not keep their sessions. */
  requireSessions(): Promise<void>;
  /** Reports a failure on a target. If the server failed, the next caller looks up the primary again. */
  failed(error: unknown): void;
  readonly cluster: Omit<Cluster, 'isPooled'>;
  usage(): PoolUse;
  end(): Promise<void>;
}

export function createPrimaryPool(
  options: Omit<PoolOptions, 'admit'>,
  sessions: SessionCheck,
): PrimaryPool {
  const hosts = createHosts(options.url);
  /** Every open connection: none outlives its target, or it would write to an old primary. */
  const clients = new Set<pg.ClientBase>();
  let current: { readonly target: Target; readonly pool: MeasuredPool } | undefined;
  const waits = createWaits();
  let closed = false;
  hosts.watch(leave);

  return {
    async use() {
      const target = await hosts.primary();
      if (closed) throw new StoreUnavailable('closed');
      if (current?.target !== target) {
        // Separate connections may have been opened before the first of the pool.
        if (current !== undefined) leave();
        current = { target, pool: open(target) };
      }
      return current.pool;
    },
    async connect() {
      const target = await hosts.primary();
      try {
        const client = await connect(target.url);
        keep(client);
        try {
          await admit(target, client, await greet(client, CONNECT_MS));
          return client;
        } catch (error) {
          cut(client);
          throw error;
        }
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    async requireSessions() {
      await sessions.require((await hosts.primary()).url);
    },
    failed,
    cluster: hosts.cluster,
    usage: () =>
      current?.pool.use('primary') ?? poolUse('primary', waits, { inUse: 0, idle: 0, waiting: 0 }),
    async end() {
      closed = true;
      await Promise.all([current?.pool.end(), hosts.close()]);
    },
  };

  function open(target: Target): MeasuredPool {
    const pool = createPool({
      ...options,
      url: target.url,
      admit: (client, greeting) => admit(target, client, greeting),
      waits,
    });
    pool.on('connect', keep);
    return pool;
  }

  async function admit(target: Target, client: pg.ClientBase, greeting: Greeting): Promise<void> {
    await sessions.admit(client, greeting, target.url);
    hosts.admit(target, greeting.timeline);
  }

  function keep(client: pg.ClientBase): void {
    clients.add(client);
    (client as pg.Client).once('end', () => clients.delete(client));
  }

  function leave(): void {
    void current?.pool.end().catch(() => {});
    current = undefined;
    for (const client of clients) cut(client);
  }

  function failed(error: unknown): void {
    if (isOutage(error)) hosts.doubt();
  }
}
