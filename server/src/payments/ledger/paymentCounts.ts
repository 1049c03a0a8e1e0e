/** The settled calls and value of this process by route, for metrics. */
export interface PaymentCounts {
  settled(route: string, value: bigint): void;
  read(): readonly { readonly route: string; readonly calls: number; readonly value: bigint }[];
}

export function createPaymentCounts(): PaymentCounts {
  const routes = new Map<string, { route: string; calls: number; value: bigint }>();
  return {
    settled(route, value) {
      const found = routes.get(route) ?? { route, calls: 0, value: 0n };
      found.calls++;
      found.value += value;
      routes.set(route, found);
    },
    read: () => [...routes.values()],
  };
}
