import type { Address, Hex } from '../domain/hex.ts';
import { hexQuantity } from '../domain/hexQuantity.ts';
import type { Call, ChainClient, Header } from './chainClient.ts';
import { withDistance } from './distance.ts';
import { createLogReads } from './logReads.ts';
import { checked } from './malformed.ts';
import { decodeAggregate3, encodeAggregate3 } from './multicall.ts';
import { parseHeader, parseHex, parseQuantity, parseWord } from './parse.ts';
import type { RpcCall, RpcClient } from './rpcClient.ts';
import { RpcRefused, StateUnavailable } from './rpcError.ts';
import { createUrlLimits, type UrlLimits } from './urlLimits.ts';

/** At about 50,000 gas a call this stays below the 50 million that RPC endpoints commonly allow for an eth_call. */
const CALLS_PER_MULTICALL = 500;
/** Hex digits of calldata; gateways commonly limit a request's body to 1 MB or less. */
const HEX_PER_MULTICALL = 400_000;

/** Reads of one chain through one URL. */
export function createChainClient(options: {
  rpc: RpcClient;
  multicall: Address;
  /** Stores how many addresses the RPC endpoint accepts in one log filter. */
  limits?: Pick<UrlLimits, 'addresses'>;
  /** The URL's head, if known beforehand. */
  head?: number;
}): ChainClient {
  const { rpc, limits = createUrlLimits() } = options;
  const { upstream } = rpc;
  const logs = createLogReads(rpc, limits);

  const client = { upstream, chainId, header, headers, logs, call, code, storageAt, multicall };
  return withDistance(client, options.head);

  async function chainId(): Promise<number> {
    const result = await rpc.request('eth_chainId', [], { urgent: true });
    return checked(upstream, () => parseQuantity(result, 'chain id'));
  }

  async function header(
    block: number | 'latest' | 'finalized' | 'safe',
    opts: { readonly urgent?: boolean } = {},
  ): Promise<Header | null> {
    const requested = typeof block === 'number' ? block : null;
    const tag = typeof block === 'number' ? hexQuantity(block) : block;
    try {
      const result = await rpc.request('eth_getBlockByNumber', [tag, false], opts);
      return checked(upstream, () => parseHeader(result, requested));
    } catch (error) {
      // Some RPC endpoints return null for a block they do not have, others an error.
      if (error instanceof StateUnavailable) return null;
      throw error;
    }
  }

  async function headers(numbers: readonly number[]): Promise<(Header | null)[]> {
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [hexQuantity(number), false],
    }));
    const outcomes = await rpc.batch(calls);
    return outcomes.map((outcome, i) => {
      if ('result' in outcome)
        return checked(upstream, () => parseHeader(outcome.result, numbers[i]!));
      if (outcome.error instanceof StateUnavailable) return null;
      throw outcome.error;
    });
  }

  async function call(one: Call, block: number): Promise<Hex> {
    const result = await rpc.request('eth_call', [one, hexQuantity(block)]);
    return checked(upstream, () => parseHex(result, 'call result'));
  }

  async function code(address: Address, block: number): Promise<Hex> {
    const result = await rpc.request('eth_getCode', [address, hexQuantity(block)]);
    return checked(upstream, () => parseHex(result, 'code'));
  }

  async function storageAt(address: Address, slot: Hex, block: number): Promise<Hex> {
    const result = await rpc.request('eth_getStorageAt', [address, slot, hexQuantity(block)]);
    return checked(upstream, () => parseWord(result, 'storage'));
  }

  async function multicall(calls: readonly Call[], block: number): Promise<(Hex | null)[]> {
    if (calls.length === 0) return [];
    const parts = await Promise.all(split(calls).map((part) => aggregate(part, block)));
    return parts.length === 1 ? parts[0]! : parts.flat();
  }

  async function aggregate(calls: readonly Call[], block: number): Promise<(Hex | null)[]> {
    const data = encodeAggregate3(calls);
    let result: Hex;
    try {
      result = await call({ to: options.multicall, data }, block);
    } catch (error) {
      // Each call may fail on its own, so the entire multicall reverted: it ran out of gas.
      if (!(error instanceof RpcRefused && error.reverted)) throw error;
      return calls.length === 1 ? [null] : halves(calls, block);
    }
    if (result === '0x') return oneByOne(calls, block);
    return checked(upstream, () => decodeAggregate3(result, calls.length));
  }

  async function halves(calls: readonly Call[], block: number): Promise<(Hex | null)[]> {
    const middle = Math.ceil(calls.length / 2);
    const first = await aggregate(calls.slice(0, middle), block);
    return [...first, ...(await aggregate(calls.slice(middle), block))];
  }

  /** For blocks before the multicall contract was deployed. */
  async function oneByOne(calls: readonly Call[], block: number): Promise<(Hex | null)[]> {
    const requests: RpcCall[] = calls.map((one) => ({
      method: 'eth_call',
      params: [one, hexQuantity(block)],
    }));
    const outcomes = await rpc.batch(requests);
    return outcomes.map((outcome) => {
      if ('result' in outcome)
        return checked(upstream, () => parseHex(outcome.result, 'call result'));
      if (outcome.error instanceof RpcRefused && outcome.error.reverted) return null;
      throw outcome.error;
    });
  }
}

function split(calls: readonly Call[]): (readonly Call[])[] {
  const parts: Call[][] = [];
  let part: Call[] = [];
  let size = 0;
  for (const call of calls) {
    const full = part.length >= CALLS_PER_MULTICALL || size + call.data.length > HEX_PER_MULTICALL;
    if (part.length > 0 && full) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(call);
    // Four words of frame and one of offset in addition to the data.
    size += call.data.length + 320;
  }
  parts.push(part);
  return parts;
}
