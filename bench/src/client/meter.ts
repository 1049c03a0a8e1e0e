import { ownCpuMs } from '../payments/paymentWorld.ts';

/**
 * Runs two ways of doing the same by turns, one call at a time, and counts the CPU of each. Two processes would differ by
 * more than the ways do on a machine that is busy.
 */
export function createMeter<Way extends string>(
  ways: Readonly<Record<Way, () => Promise<unknown>>>,
) {
  const names = Object.keys(ways) as Way[];
  return {
    /** Milliseconds of CPU for each call. */
    async run(count: number): Promise<Record<Way, number>> {
      const cpu = Object.fromEntries(names.map((name) => [name, 0])) as Record<Way, number>;
      for (let i = 0; i < count; i++) {
        // Neither is always first after the other.
        const order = i % 2 === 0 ? names : [...names].reverse();
        for (const name of order) {
          const before = ownCpuMs();
          await ways[name]();
          cpu[name] += ownCpuMs() - before;
        }
      }
      for (const name of names) cpu[name] /= count;
      return cpu;
    },
  };
}
