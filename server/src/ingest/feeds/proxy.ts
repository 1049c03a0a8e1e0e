import { addressAt, fn, wordAt } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { RpcRefused, StateUnavailable } from '../../chain/rpcError.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';

const decimalsOf = fn('decimals()');
const phaseIdOf = fn('phaseId()');
const aggregatorOf = fn('aggregator()');
const phaseAggregatorOf = fn('phaseAggregators(uint16)');
const latestRoundData = fn('latestRoundData()');

/** What a feed's contract returns at one block; null for calls that failed. */
export interface FeedWords {
  readonly decimals: number | null;
  readonly phase: number | null;
  readonly aggregator: Address | null;
}

/** An answer of a feed: its value, null if it is not a price, and its time. */
export interface FeedAnswer {
  readonly value: bigint | null;
  readonly updatedAt: number;
}

export async function readFeedWords(
  client: ChainClient,
  feed: Address,
  block: number,
): Promise<FeedWords> {
  const calls = [decimalsOf(), phaseIdOf(), aggregatorOf()].map((data) => ({ to: feed, data }));
  const [decimals, phase, aggregator] = await client.multicall(calls, block);
  return {
    decimals: numberIn(decimals, MAX_DECIMALS),
    phase: numberIn(phase, MAX_PHASES),
    aggregator: addressIn(aggregator),
  };
}

/** Reads every aggregator that a proxy has had up to its phase. */
export async function readPhaseAggregators(
  client: ChainClient,
  feed: Address,
  phase: number,
  block: number,
): Promise<Address[]> {
  const calls = Array.from({ length: phase }, (_, i) => ({
    to: feed,
    data: phaseAggregatorOf(BigInt(i + 1)),
  }));
  return (await client.multicall(calls, block)).flatMap((word) => addressIn(word) ?? []);
}

/**
 * Reads the feed's own answer at a block, null if it has none. Not part of a multicall, because feeds with a reader
 * allowlist reject other contracts.
 */
export async function readAnswer(
  client: ChainClient,
  feed: Address,
  block: number,
): Promise<FeedAnswer | null> {
  let data: Hex;
  try {
    data = await client.call({ to: feed, data: latestRoundData() }, block);
  } catch (error) {
    if (error instanceof RpcRefused && error.reverted) return null;
    throw error;
  }
  if (data.length < 2 + 5 * 64) return null;
  return { value: priceIn(wordAt(data, 1)), updatedAt: secondsIn(wordAt(data, 3)) };
}

/** Returns null for 0 or less, with which an aggregator reports that it has no answer. */
export function priceIn(word: bigint): bigint | null {
  const value = BigInt.asIntN(256, word);
  return value > 0n ? value : null;
}

/** A time beyond any clock that is still exact. Readers use the time of the block instead. */
export function secondsIn(word: bigint): number {
  return Number(word < BigInt(Number.MAX_SAFE_INTEGER) ? word : Number.MAX_SAFE_INTEGER);
}

/** Returns the result of `read`, or `pruned` if the RPC endpoint no longer has the state of that block. */
export async function unlessPruned<T>(read: Promise<T>): Promise<T | 'pruned'> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StateUnavailable && error.reason === 'pruned') return 'pruned';
    throw error;
  }
}

/** Larger powers of ten do not fit a uint256. */
const MAX_DECIMALS = 77;
/** A proxy stores its phase in 16 bits. */
const MAX_PHASES = 65_535;

function numberIn(word: Hex | null | undefined, most: number): number | null {
  if (!word || word.length < 66) return null;
  const value = wordAt(word, 0);
  return value <= BigInt(most) ? Number(value) : null;
}

function addressIn(word: Hex | null | undefined): Address | null {
  if (!word || word.length < 66) return null;
  const address = addressAt(word, 0);
  return address === ZERO_ADDRESS ? null : address;
}
