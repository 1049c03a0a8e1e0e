import type { Address, Hex } from '../domain/hex.ts';

export interface Header {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
}

/** A log as the node sent it, numbers parsed, everything else still hex in lower case. */
export interface RawLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
  /** Unix seconds, where the node gives it. */
  readonly blockTime: number | null;
}

export interface LogFilter {
  readonly addresses: readonly Address[];
  /** One entry per topic position: any of these values, or null for any. */
  readonly topics?: readonly (readonly Hex[] | null)[];
}

export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/**
 * Reads of one chain, all from ONE upstream: a head from one node and logs from another can skip logs.
 * Every method throws an RpcError (see rpcError.ts); nothing else.
 */
export interface ChainClient {
  /** Which of the chain's upstreams this is, from 1; safe to log. */
  readonly upstream: number;
  chainId(): Promise<number>;
  /** `urgent`: it tells whether the node is well, so it neither waits for others nor is repeated for long. */
  header(
    block: number | 'latest' | 'finalized' | 'safe',
    options?: { readonly urgent?: boolean },
  ): Promise<Header | null>;
  /** Many headers in few requests; null where the node has no such block. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>;
  /**
   * One eth_getLogs, or several where the node limits the addresses of a filter. Throws RangeTooWide when the node rejects
   * the range. Ordered by block and log index.
   */
  logs(range: { fromBlock: number; toBlock: number; filter: LogFilter }): Promise<RawLog[]>;
  call(call: Call, block: number): Promise<Hex>;
  /** The code at an address; `0x` where no contract is. Throws StateUnavailable without that state. */
  code(address: Address, block: number): Promise<Hex>;
  /** One 32-byte word of a contract's storage. Throws StateUnavailable without that state. */
  storageAt(address: Address, slot: Hex, block: number): Promise<Hex>;
  /** One aggregate3 at one block; null for a call that failed on chain. Throws StateUnavailable without that state. */
  multicall(calls: readonly Call[], block: number): Promise<(Hex | null)[]>;
}
