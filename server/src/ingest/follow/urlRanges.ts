import type { ChainClient } from '../../chain/chainClient.ts';
import { type LogRange, startLogRange, WIDEST } from '../../chain/logRange.ts';
import type { Upstreams } from '../../chain/upstreams.ts';

/** Returns the range of `eth_getLogs` that was learned for a client's URL, because each has its own limits. */
export function createUrlRanges(
  upstreams: Pick<Upstreams, 'limitsOf'>,
  width: number,
): (client: ChainClient) => { current: LogRange } {
  const ranges = new Map<number, { current: LogRange }>();

  return (client) => {
    const known = ranges.get(client.upstream);
    if (known !== undefined) return known;
    const limits = upstreams.limitsOf(client);
    let current = startLogRange(width, limits.logBlocks);
    const range = {
      get current() {
        return current;
      },
      set current(next: LogRange) {
        current = next;
        // Some ranges have many logs. The limit of a URL is the smallest range that it rejected.
        if (next.cap < WIDEST && next.proven) limits.logBlocks = next.cap;
      },
    };
    ranges.set(client.upstream, range);
    return range;
  };
}
