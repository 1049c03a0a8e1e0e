import type pg from 'pg';
import { CONNECT_MS } from './deadlines.ts';
import { cut } from './heartbeat.ts';
import { query } from './postgresClient.ts';
import type { PrimaryPool } from './primaryPool.ts';
import { type Written, written } from './replicaLag.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/**
 * Reads how far the primary has written, over a dedicated connection, so that reads that use all others do not affect
 * it.
 */
export interface PrimaryWatch {
  /** Throws StoreUnavailable while the primary does not respond. */
  read(): Promise<Written>;
  close(): void;
}

export function createPrimaryWatch(primary: Pick<PrimaryPool, 'connect' | 'failed'>): PrimaryWatch {
  let client: pg.Client | undefined;
  let closed = false;
  return { read, close };

  async function read(): Promise<Written> {
    const old = client;
    try {
      if (old !== undefined) return await ask(old);
    } catch (error) {
      // A connection can end although its server is up, as in a failover.
      const lost = error instanceof StoreUnavailable && error.outage === 'connection-lost';
      if (!lost || closed) throw error;
    }
    client = await primary.connect();
    if (closed) close();
    return ask(client);
  }

  async function ask(asked: pg.Client): Promise<Written> {
    try {
      const [row] = await query<Written>(asked, written, [], CONNECT_MS);
      return row!;
    } catch (error) {
      cut(asked);
      client = undefined;
      primary.failed(error);
      throw error;
    }
  }

  function close(): void {
    closed = true;
    if (client !== undefined) cut(client);
  }
}
