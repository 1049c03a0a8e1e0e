export interface MethodCounts {
  readonly asked: number;
  /** Answered by the target, or by a lagging endpoint. */
  readonly answered: number;
  /** By the rate, the quota, or a switch. */
  readonly limited: number;
  /** By another limit or a fault. */
  readonly refused: number;
}

export interface ProviderCounts {
  readonly methods: Readonly<Record<string, MethodCounts>>;
  /** HTTP requests; the items of a batch are one. */
  readonly requests: number;
  /** Units charged. */
  readonly units: number;
}

export function createCounter() {
  const methods = new Map<string, Record<keyof MethodCounts, number>>();
  return {
    add(method: string, kind: 'answered' | 'limited' | 'refused'): void {
      const counts = methods.get(method) ?? { asked: 0, answered: 0, limited: 0, refused: 0 };
      methods.set(method, counts);
      counts.asked += 1;
      counts[kind] += 1;
    },
    methods: (): Record<string, MethodCounts> =>
      Object.fromEntries([...methods].map(([method, counts]) => [method, { ...counts }])),
  };
}
