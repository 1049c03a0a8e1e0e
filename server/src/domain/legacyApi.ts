import { DAY, type Seconds } from './time.ts';

/** The last day, in UTC, on which Assay may serve the legacy API. `npm run audit` reads it from this line. */
export const LEGACY_API_REMOVAL = '2027-03-31';

/** Returns whether the last day is over. */
export function isPastRemoval(at: Seconds): boolean {
  return at >= Date.parse(LEGACY_API_REMOVAL) / 1000 + DAY;
}
