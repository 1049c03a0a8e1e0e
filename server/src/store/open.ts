import type { StoreConfig } from '../config/config.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Store } from './store.ts';

/** Opens the configured store and brings it up to date. */
export function openStore({ folder, databaseUrl, replicaUrl }: StoreConfig): Promise<Store> {
  if (databaseUrl === undefined) return openPglite({ folder });
  return openPostgres({ url: databaseUrl, replicaUrl });
}
