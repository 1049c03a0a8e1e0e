import type { StoreConfig } from '../config/config.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Store } from './store.ts';

/** Opens the configured store and upgrades its schema. */
export function openStore(
  config: StoreConfig,
  onProgress?: (doing: string) => void,
): Promise<Store> {
  const { folder, databaseUrl, replicaUrl, maxStaleSeconds } = config;
  if (databaseUrl === undefined) return openPglite({ folder, onProgress });
  return openPostgres({ url: databaseUrl, replicaUrl, maxStaleSeconds, onProgress });
}
