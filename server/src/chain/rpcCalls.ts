export type RpcPurpose = 'index' | 'live' | 'payments';

/** Calls sent to RPC endpoints since the start. Each call of a batch counts, as providers count them. */
export interface RpcCalls {
  /** Returns a function to call for each request with its number of calls. */
  counter(chainId: number, purpose: RpcPurpose): (calls: number) => void;
  /** All calls to a chain, for any purpose. */
  total(chainId: number): number;
  read(): { readonly chainId: number; readonly purpose: RpcPurpose; readonly value: number }[];
}

export function createRpcCalls(): RpcCalls {
  const counts: { chainId: number; purpose: RpcPurpose; value: number }[] = [];
  return {
    counter(chainId, purpose) {
      const known = counts.find((one) => one.chainId === chainId && one.purpose === purpose);
      const count = known ?? { chainId, purpose, value: 0 };
      if (known === undefined) counts.push(count);
      return (calls) => {
        count.value += calls;
      };
    },
    total: (chainId) =>
      counts
        .filter((count) => count.chainId === chainId)
        .reduce((sum, { value }) => sum + value, 0),
    read: () => counts.map((count) => ({ ...count })),
  };
}
