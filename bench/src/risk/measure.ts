import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the memory in use after garbage collection, in megabytes. */
export function megabytes(): number {
  for (let i = 0; i < 3; i++) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

export function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

export function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Returns the best of several runs of each work, because other work on the machine only adds time. */
export async function timeEach(works: readonly (() => unknown)[], goes: number): Promise<Spread> {
  const times: number[] = [];
  for (const work of works) {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < goes; i++) {
      const start = performance.now();
      await work();
      best = Math.min(best, performance.now() - start);
    }
    times.push(best);
  }
  return spread(times);
}
