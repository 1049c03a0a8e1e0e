import { setFlagsFromString } from 'node:v8';

/** Heap growth in percent before V8 collects garbage. */
const GROWTH = 120;
/** Bytecodes that a function runs before V8 optimizes it: six times the default. */
const BUDGET = 400_000;

/**
 * Tunes V8 for a backfill, which allocates much and keeps little. By default, V8 lets the heap grow to three times the
 * memory in use, which takes about a second here. A backfill also shares few cores with a database: by default, V8
 * spends as much CPU time on optimizing as on running, without a later benefit.
 */
export function tuneForBackfill(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  // V8 12, in Node 22, removed the flag and prints an error for it.
  if (Number.parseInt(process.versions.v8, 10) < 12) {
    setFlagsFromString(`--interrupt-budget=${BUDGET}`);
  }
}
