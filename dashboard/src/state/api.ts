import {
  createClient,
  getWholeStatus,
  type ListedVault,
  listAllVaults,
  type Status,
} from '@assay/client';
import { onEvent } from './feed.ts';
import { type Live, useLive } from './live.ts';
import { anyFamily } from './topics.ts';

/** Series are the responses that a browser may use longest without asking again. */
const MAX_AGE_MS = 300_000;
let changedAt = -MAX_AGE_MS;
onEvent(() => {
  changedAt = performance.now();
});

/** Connects to the server that hosts this page. What the browser stored before an event can be out of date. */
export const client = createClient({
  url: location.origin,
  timeoutMs: 10_000,
  retries: 1,
  fetch(input, init) {
    const isStale = performance.now() - changedAt < MAX_AGE_MS;
    return fetch(input, { ...init, cache: isStale ? 'no-cache' : 'default' });
  },
});

/** Family data changes every few minutes. Reading it more often only adds load. */
export const TICKS_MS = 30_000;

export function useStatus(): Live<Status> {
  return useLive('status', (signal) => getWholeStatus(client, { signal }), 15_000);
}

export function useVaults(): Live<readonly ListedVault<bigint>[]> {
  const load = (signal: AbortSignal) => listAllVaults(client, { signal, amounts: 'bigint' });
  return useLive('vaults', load, TICKS_MS, anyFamily);
}
