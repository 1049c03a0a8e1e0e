import type { Log } from '../cli/log.ts';
import type { CounterSource } from '../http/metrics.ts';
import {
  createSharedLimits,
  loadLimitKey,
  runSharedLimits,
  type SharedLimits,
} from '../http/sharedLimits.ts';
import type { Store } from '../store/store.ts';
import { isDatabaseOutage } from './outageLog.ts';

/** The limits that processes on one database share; the embedded database allows only one process. */
export async function openLimitExchange(store: Store, log: Log) {
  if (store.engine !== 'postgres') return undefined;
  const limits = createSharedLimits(store, await loadLimitKey(store));
  return { createBuckets: limits.createBuckets, ...startLimitExchange(limits, log) };
}

/** Exchanges the limits of this process with the others, counts failures, and logs each outage at its start and end. */
export function startLimitExchange(
  limits: SharedLimits,
  log: Pick<Log, 'warn' | 'info'>,
  everyMs?: number,
): { readonly counter: CounterSource; stop(): Promise<void> } {
  let isLogged = false;
  const exchange = runSharedLimits(limits, {
    ...(everyMs !== undefined && { everyMs }),
    onOutage(outage) {
      if ('failures' in outage) {
        if (isLogged) log.info(outage, 'rate limits are shared between processes again');
        isLogged = false;
      } else if (!isDatabaseOutage(outage.error)) {
        // An outage of the database is logged as that.
        isLogged = true;
        const message =
          'rate limits cannot be shared between processes; until then, each process counts alone';
        log.warn({ err: outage.error }, message);
      }
    },
  });
  const counter: CounterSource = {
    name: 'assay_limit_exchange_failures_total',
    help: 'Failed exchanges of rate limits with other processes. While they fail, each process counts alone.',
    labels: [],
    read: () => [{ labels: {}, value: exchange.failures() }],
  };
  return { counter, stop: exchange.stop };
}
