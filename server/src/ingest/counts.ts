const KINDS = ['logs', 'steps', 'reorgs', 'failures', 'jumps', 'leftOut'] as const;
export type CountKind = (typeof KINDS)[number];

/** Counters of the indexer since the start, for metrics. */
export interface IngestCounts {
  add(kind: CountKind, chainId: number, by: number): void;
  get(kind: CountKind): { readonly chainId: number; readonly value: number }[];
}

export function createCounts(): IngestCounts {
  const counts = new Map(KINDS.map((kind) => [kind, new Map<number, number>()]));
  return {
    add(kind, chainId, by) {
      const own = counts.get(kind)!;
      own.set(chainId, (own.get(chainId) ?? 0) + by);
    },
    get: (kind) => [...counts.get(kind)!].map(([chainId, value]) => ({ chainId, value })),
  };
}
