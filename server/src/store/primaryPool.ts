import type pg from 'pg';
import { connect, createPool, type PoolOptions } from './postgresClient.ts';
import { isOutage } from './postgresFault.ts';
import { createHosts } from './postgresHosts.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Connections to the server that takes writes, whichever of those in the URL that is now. */
export interface PrimaryPool {
  use(): Promise<pg.Pool>;
  /** One of its own, outside the pool. */
  connect(): Promise<pg.Client>;
  /** Something failed there: when that was the server, the next who asks looks which one it is. */
  failed(error: unknown): void;
  end(): Promise<void>;
}

export function createPrimaryPool(options: PoolOptions): PrimaryPool {
  const hosts = createHosts(options.url);
  let current: { readonly url: string; readonly pool: pg.Pool } | undefined;
  let closed = false;

  return {
    async use() {
      const url = await hosts.primary();
      if (closed) throw new StoreUnavailable('closed');
      if (current?.url !== url) {
        // Connections to the one before may still be open, and lead nowhere.
        void current?.pool.end().catch(() => {});
        current = { url, pool: createPool({ ...options, url }) };
      }
      return current.pool;
    },
    async connect() {
      const url = await hosts.primary();
      try {
        return await connect(url);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    failed,
    async end() {
      closed = true;
      await current?.pool.end();
    },
  };

  function failed(error: unknown): void {
    if (isOutage(error)) hosts.doubt();
  }
}
