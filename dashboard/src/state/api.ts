import {
  createClient,
  getWholeStatus,
  type ListedVault,
  listAllVaults,
  type Status,
} from '@assay/client';
import { type Live, useLive } from './live.ts';

/** The server that this page came from. */
export const client = createClient({ url: location.origin, timeoutMs: 10_000, retries: 1 });

/** Figures of families come every few minutes: more often than this is of no use, and costs the server. */
export const TICKS_MS = 30_000;

export function useStatus(): Live<Status> {
  return useLive('status', (signal) => getWholeStatus(client, { signal }), 15_000);
}

export function useVaults(): Live<readonly ListedVault<bigint>[]> {
  const load = (signal: AbortSignal) => listAllVaults(client, { signal, amounts: 'bigint' });
  return useLive('vaults', load, TICKS_MS);
}
