import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so long, or until the signal ends it. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // A timer drops fractions, and would end before its time.
  await sleep(Math.ceil(ms), undefined, signal && { signal }).catch(() => {});
}
