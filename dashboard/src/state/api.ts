import { createClient, getStatus, type ListedVault, listVaults, type Status } from '@assay/client';
import { type Live, useLive } from './live.ts';

/** The server that this page came from. */
export const client = createClient({ url: location.origin, timeoutMs: 10_000, retries: 1 });

export function useStatus(): Live<Status> {
  return useLive('status', (signal) => getStatus(client, { signal }), 10_000);
}

export function useVaults(): Live<readonly ListedVault<bigint>[]> {
  const load = (signal: AbortSignal) => listVaults(client, { signal, amounts: 'bigint' });
  return useLive('vaults', load, 15_000);
}
