import { toIso } from '../domain/time.ts';
import { describeOutage, isReadable } from '../store/storeUnavailable.ts';
import type { ServerDeps } from './serverDeps.ts';

/** The database as /v1/status and /health/ready report it. */
export function presentDatabase(database: ServerDeps['database']) {
  const current = database?.health.outage();
  if (current === undefined) return { state: 'available', reason: null, since: null } as const;
  const { outage, since } = current;
  return {
    state: outage === 'full' ? 'full' : isReadable(outage) ? 'read-only' : 'stale',
    reason: describeOutage(outage),
    since: toIso(since),
  } as const;
}
