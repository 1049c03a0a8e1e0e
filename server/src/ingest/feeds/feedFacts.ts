import type { ChainClient } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import { NotAVault } from '../read/vaultFacts.ts';
import type { FeedSource } from '../sources.ts';
import { readFeedWords, readPhaseAggregators } from './proxy.ts';

/** The kind and facts of a feed's contract, read at one block. */
export interface FeedFacts {
  /**
   * `phased`: a proxy that counts its aggregators, so equal numbers mean that it has not changed in between. `proxy`:
   * one that names only its current aggregator. `aggregator`: it has no proxy.
   */
  readonly kind: 'phased' | 'proxy' | 'aggregator';
  readonly decimals: number;
  /** The block at which the facts were read. */
  readonly block: number;
  /** The current aggregator. */
  readonly phase: number | null;
  readonly aggregator: Address;
  /** All aggregators that it names. */
  readonly addresses: readonly Address[];
}

export async function readFeedFacts(
  client: ChainClient,
  source: FeedSource,
  block: number,
): Promise<FeedFacts> {
  const { address } = source.feed;
  const { decimals, phase, aggregator } = await readFeedWords(client, address, block);
  if (decimals === null) throw new NotAVault(source, 'decimals()');
  if (aggregator === null) {
    const addresses = [address];
    return { kind: 'aggregator', decimals, block, phase: null, aggregator: address, addresses };
  }
  const past = phase === null ? [] : await readPhaseAggregators(client, address, phase, block);
  return {
    kind: phase === null ? 'proxy' : 'phased',
    decimals,
    block,
    phase,
    aggregator,
    addresses: [...new Set([address, ...past, aggregator])],
  };
}
