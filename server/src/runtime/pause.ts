import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for `ms`, or until the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Timers drop fractions, and would end early.
  await sleep(Math.ceil(ms), undefined, signal && { signal }).catch(() => {});
}
