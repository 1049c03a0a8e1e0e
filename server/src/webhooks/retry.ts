/** After this long without a delivery, an endpoint is paused. */
export const RETRY_WINDOW_MS = 3 * 86_400_000;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 3_600_000;

/**
 * Returns how long to wait after failed attempts. It doubles up to an hour. Between half and all of it is used, so that
 * endpoints that failed together are not retried together; `random` is from 0 to 1.
 */
export function retryDelay(attempts: number, random: number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 30));
  return Math.round((full * (1 + random)) / 2);
}

/** Returns the milliseconds of a `Retry-After` in seconds, at most the longest delay; 0 for anything else. */
export function retryAfter(header: string | undefined): number {
  if (header === undefined || !/^\d{1,9}$/.test(header)) return 0;
  return Math.min(MAX_DELAY_MS, Number(header) * 1_000);
}
