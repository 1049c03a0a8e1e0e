import { setFlagsFromString } from 'node:v8';

/** By so much, in percent, may what is in use grow until V8 collects it. */
const GROWTH = 120;
/** Bytecodes that a function runs through before V8 optimizes it; by itself it takes a sixth. */
const BUDGET = 400_000;

/**
 * Tells V8 what kind of work a backfill is. It makes much and keeps little: by itself V8 waits until the heap is three times
 * what is in use, which is a matter of a second there. And it shares few cores with a database: by itself V8 spends as much
 * time of them on optimizing as on running, for a start of a second a fifth more in all, and nothing is gained later.
 */
export function tuneForBackfill(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  // V8 12, in Node 22, removed the flag, and would print an error.
  if (Number.parseInt(process.versions.v8, 10) < 12) {
    setFlagsFromString(`--interrupt-budget=${BUDGET}`);
  }
}
