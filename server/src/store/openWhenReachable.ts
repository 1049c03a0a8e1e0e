import type { StoreConfig } from '../config/config.ts';
import { pause } from '../runtime/pause.ts';
import { openStore } from './open.ts';
import type { Store } from './store.ts';
import { type Outage, StoreUnavailable } from './storeUnavailable.ts';

/**
 * These end when the database or the network comes up, a replica is promoted, or its disk has space; others are
 * permanent.
 */
const PASSING: ReadonlySet<Outage> = new Set([
  ...(['unreachable', 'connection-lost', 'silent', 'slow'] as const),
  ...(['read-only', 'full'] as const),
]);
const RETRY_MS = 500;
const FIRST_REPORT_MS = 5_000;
const LONGEST_REPORT_MS = 60_000;

export interface Waiting {
  readonly error: StoreUnavailable;
  /** Since the first attempt. */
  readonly seconds: number;
}

/**
 * Opens the store, and waits for a database that is not reachable yet. Calls `onWait` at the first failed attempt and
 * then at growing intervals. Throws errors that waiting cannot fix, such as a wrong password, at once.
 */
export async function openWhenReachable(
  config: StoreConfig,
  by: {
    readonly onProgress: (doing: string) => void;
    readonly onWait: (waiting: Waiting) => void;
  },
): Promise<Store> {
  const began = performance.now();
  let reportAt = began;
  let reportMs = FIRST_REPORT_MS;
  for (;;) {
    try {
      return await openStore(config, by.onProgress);
    } catch (error) {
      if (!(error instanceof StoreUnavailable && PASSING.has(error.outage))) throw error;
      const now = performance.now();
      if (now >= reportAt) {
        by.onWait({ error, seconds: Math.round((now - began) / 1000) });
        reportAt = now + reportMs;
        reportMs = Math.min(reportMs * 2, LONGEST_REPORT_MS);
      }
      await pause(RETRY_MS);
    }
  }
}
