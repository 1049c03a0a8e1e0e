/** Pool values at one time, as the API returns them. */
export interface PoolTick {
  readonly at: string;
  readonly pools: readonly {
    readonly chainId: number;
    readonly offchainId: string;
    readonly value: bigint;
  }[];
}

/** As many as can be distinguished in a chart; the others are added up. */
const MOST = 5;

/** Returns the pools with the highest peak values by name, and all others as one. */
export function largestPools(
  ticks: readonly PoolTick[],
  nameOf: (pool: PoolTick['pools'][number]) => string,
) {
  const peak = new Map<string, bigint>();
  for (const { pools } of ticks) {
    for (const pool of pools) {
      const name = nameOf(pool);
      if (pool.value > (peak.get(name) ?? -1n)) peak.set(name, pool.value);
    }
  }
  const ranked = [...peak].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  const largest = ranked.slice(0, MOST).map(([name]) => name);
  const hasOthers = ranked.length > MOST;
  return {
    names: hasOthers ? [...largest, 'Other pools'] : largest,
    ticks: ticks.map(({ at, pools }) => {
      const sums = new Map<string, bigint>();
      for (const pool of pools) {
        const name = nameOf(pool);
        const line = largest.includes(name) ? name : 'Other pools';
        sums.set(line, (sums.get(line) ?? 0n) + pool.value);
      }
      const names = hasOthers ? [...largest, 'Other pools'] : largest;
      return { at, amounts: names.map((name) => sums.get(name) ?? 0n) };
    }),
  };
}
