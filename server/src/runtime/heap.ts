import { setFlagsFromString } from 'node:v8';

/** By so much, in percent, may what is in use grow until V8 collects it. */
const GROWTH = 120;

/**
 * Keeps a process small that makes much and keeps little, as a backfill does: by itself V8 waits until the heap is three
 * times what is in use, which is a matter of a second there. It costs no time that can be measured.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
