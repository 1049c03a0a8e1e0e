import type { Address } from '../domain/hex.ts';
import { hexQuantity } from '../domain/hexQuantity.ts';
import type { ChainClient, LogFilter, RawLog } from './chainClient.ts';
import { checked } from './malformed.ts';
import { parseLogs } from './parse.ts';
import type { RpcClient } from './rpcClient.ts';
import { RpcUnreachable, TooManyAddresses } from './rpcError.ts';
import type { UrlLimits } from './urlLimits.ts';

type LogRange = Parameters<ChainClient['logs']>[0];

/** Addresses in one log filter without a lower limit of the RPC endpoint: geth rejects more, and others slow down. */
export const ADDRESSES_PER_FILTER = 1_000;

/** Reads logs through one URL, and stores how many addresses it accepts in one filter. */
export function createLogReads(
  rpc: RpcClient,
  limits: Pick<UrlLimits, 'addresses'>,
): ChainClient['logs'] {
  const { upstream } = rpc;
  return logs;

  function maxAddresses(): number {
    return limits.addresses ?? ADDRESSES_PER_FILTER;
  }

  async function logs(range: LogRange): Promise<RawLog[]> {
    const { fromBlock, toBlock, filter } = range;
    // An empty list would mean every contract.
    if (filter.addresses.length === 0) return [];
    // Parsed together: two requests that saw different branches of a reorg contradict each other.
    const result = await rawLogs(range, filter.addresses);
    return checked(upstream, () => parseLogs(result, { fromBlock, toBlock }, addressSet(filter)));
  }

  /** Returns the result of one eth_getLogs, or of several if the RPC endpoint limits the addresses of a filter. */
  async function rawLogs(range: LogRange, addresses: readonly Address[]): Promise<unknown> {
    if (addresses.length > maxAddresses()) return rawLogsInParts(range, addresses);
    const { fromBlock, toBlock, filter } = range;
    const query = {
      fromBlock: hexQuantity(fromBlock),
      toBlock: hexQuantity(toBlock),
      address: addresses,
      ...(filter.topics === undefined ? {} : { topics: filter.topics }),
    };
    try {
      return await rpc.request('eth_getLogs', [query], { range: { fromBlock, toBlock } });
    } catch (error) {
      if (!(error instanceof TooManyAddresses) || addresses.length === 1) throw error;
      const named = error.maxAddresses ?? addresses.length;
      const next = named < addresses.length ? named : Math.ceil(addresses.length / 2);
      // Requests in flight may have learned a lower limit meanwhile.
      limits.addresses = Math.max(1, Math.min(maxAddresses(), next));
      return rawLogsInParts(range, addresses);
    }
  }

  async function rawLogsInParts(
    range: LogRange,
    addresses: readonly Address[],
  ): Promise<unknown[]> {
    const size = maxAddresses();
    const results: unknown[] = [];
    for (let start = 0; start < addresses.length; start += size) {
      const result = await rawLogs(range, addresses.slice(start, start + size));
      if (!Array.isArray(result)) throw new RpcUnreachable({ upstream, reason: 'garbage' });
      for (const log of result) results.push(log);
    }
    return results;
  }
}

/** One filter serves an entire backfill: its set is built once. */
const sets = new WeakMap<LogFilter, ReadonlySet<Address>>();

function addressSet(filter: LogFilter): ReadonlySet<Address> {
  let set = sets.get(filter);
  if (set === undefined) {
    set = new Set(filter.addresses.map((address) => address.toLowerCase() as Address));
    sets.set(filter, set);
  }
  return set;
}
