import type { ChainClient } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import { NotAVault } from '../read/vaultFacts.ts';
import type { FeedSource } from '../sources.ts';
import { readFeedWords, readPhaseAggregators } from './proxy.ts';

/** What a feed's contract is, seen at one block. */
export interface FeedFacts {
  /**
   * `phased`: a proxy that counts its aggregators, so that an equal number means that nothing has changed between.
   * `proxy`: one that names the present aggregator only. `aggregator`: it answers for itself.
   */
  readonly kind: 'phased' | 'proxy' | 'aggregator';
  readonly decimals: number;
  /** The block at which all this was seen. */
  readonly block: number;
  /** What answers there. */
  readonly phase: number | null;
  readonly aggregator: Address;
  /** Whatever has answered for it, as far as it says. */
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
