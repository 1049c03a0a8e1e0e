/** Where a log stands. Time first: the one total order over all chains. */
export interface LogPlace {
  readonly blockTime: number;
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return (
    a.blockTime - b.blockTime ||
    a.chainId - b.chainId ||
    a.blockNumber - b.blockNumber ||
    a.logIndex - b.logIndex
  );
}
