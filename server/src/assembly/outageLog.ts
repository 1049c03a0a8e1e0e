import type { Log } from '../cli/log.ts';
import type { StoreHealth } from '../store/health.ts';
import { describeOutage, StoreUnavailable } from '../store/storeUnavailable.ts';

/** Logs each outage of the database once at its start and once at its end. */
export function logOutages(health: StoreHealth, log: Pick<Log, 'warn' | 'info'>): void {
  let last = health.outage();
  const begin = () => {
    if (last !== undefined) log.warn({ outage: last.outage }, describeOutage(last.outage));
  };
  begin();
  health.onChange(() => {
    const before = last;
    last = health.outage();
    if (last !== undefined) return begin();
    const seconds = Math.floor(Date.now() / 1000) - before!.since;
    log.info({ outage: before!.outage, seconds }, 'the database is available again');
  });
}

/**
 * Suppresses warnings and errors that a database outage explains: every loop of the process fails repeatedly then.
 * Failures in its first moment wait for the probe that decides whether it is an outage.
 */
export function withoutOutages(log: Log, health: StoreHealth): Log {
  const quiet = Object.create(log) as Log;
  for (const level of ['warn', 'error'] as const) {
    quiet[level] = ((fields: object, ...message: [string]) => {
      const { err } = (fields ?? {}) as { err?: unknown };
      if (!isDatabaseOutage(err)) return log[level](fields, ...message);
      if (health.outage() !== undefined) return;
      void health.check().then((outage) => {
        if (outage === undefined) log[level](fields, ...message);
      });
    }) as Log[typeof level];
  }
  return quiet;
}

/** Returns whether `logOutages` reports it. A statement or transaction that took too long fails separately. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable)) return false;
  return error.outage !== 'slow' && error.outage !== 'busy';
}
