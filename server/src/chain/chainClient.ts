import type { Address, Hex } from '../domain/hex.ts';

export interface Header {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
}

/** A log as the RPC endpoint sent it, with parsed numbers and lower-case hex. */
export interface RawLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
  /** Unix seconds, if the RPC endpoint returns it. */
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
 * Reads of one chain, all from ONE upstream: a head from one RPC endpoint and logs from another can skip logs. Every
 * method throws only RpcError (see rpcError.ts).
 */
export interface ChainClient {
  /** Which of the chain's upstreams this is, from 1; safe to log. */
  readonly upstream: number;
  chainId(): Promise<number>;
  /**
   * `urgent`: the read shows the health of the RPC endpoint, so it neither waits for others nor is repeated for long.
   */
  header(
    block: number | 'latest' | 'finalized' | 'safe',
    options?: { readonly urgent?: boolean },
  ): Promise<Header | null>;
  /** Reads many headers in few requests; null for blocks that the RPC endpoint does not have. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>;
  /**
   * Sends one eth_getLogs, or several if the RPC endpoint limits the addresses of a filter. Throws RangeTooWide if it
   * rejects the range. Ordered by block and log index.
   */
  logs(range: { fromBlock: number; toBlock: number; filter: LogFilter }): Promise<RawLog[]>;
  call(call: Call, block: number): Promise<Hex>;
  /** Returns the code at an address; `0x` without a contract. Throws StateUnavailable without that state. */
  code(address: Address, block: number): Promise<Hex>;
  /** Returns one 32-byte word of a contract's storage. Throws StateUnavailable without that state. */
  storageAt(address: Address, slot: Hex, block: number): Promise<Hex>;
  /**
   * Sends one aggregate3 at one block; null for a call that failed on chain. Throws StateUnavailable without that
   * state.
   */
  multicall(calls: readonly Call[], block: number): Promise<(Hex | null)[]>;
}
