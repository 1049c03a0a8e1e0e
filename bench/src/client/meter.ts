import { ownCpuMs } from '../payments/paymentWorld.ts';

/**
 * Alternates between two ways of doing the same, one call at a time, and measures the CPU of each. On a busy machine, two
 * processes would differ by more than the two ways.
 */
export function createMeter<Way extends string>(
  ways: Readonly<Record<Way, () => Promise<unknown>>>,
) {
  const names = Object.keys(ways) as Way[];
  return {
    /** Returns the CPU per call, in milliseconds. */
    async run(count: number): Promise<Record<Way, number>> {
      const cpu = Object.fromEntries(names.map((name) => [name, 0])) as Record<Way, number>;
      for (let i = 0; i < count; i++) {
        // Alternate the order.
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
