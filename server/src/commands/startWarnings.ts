import type { Config } from '../config/config.ts';
import { isPastRemoval, LEGACY_API_REMOVAL } from '../domain/legacyApi.ts';
import type { Seconds } from '../domain/time.ts';

/** Returns what the log warns of at startup: deprecated keys, and a legacy API that is past its removal date. */
export function getStartWarnings(
  { warnings = [], legacyApi }: Pick<Config, 'warnings' | 'legacyApi'>,
  now: Seconds,
): readonly string[] {
  if (legacyApi === undefined || !isPastRemoval(now)) return warnings;
  return [
    ...warnings,
    `legacyApi is past its removal date, ${LEGACY_API_REMOVAL}: the next version does not serve the legacy API; move its clients to the current API (docs/migration.md), then remove the key`,
  ];
}
