import { createHash } from 'node:crypto';
import type { Config, FamilyChainConfig, FamilyConfig, FeedConfig } from '../config/config.ts';
import type { RatedConfig } from '../config/rated/description.ts';
import type { Address } from '../domain/hex.ts';
import { KINDS } from '../vaults/index.ts';

/** Contracts of a family on one chain. */
export interface FamilySource {
  readonly kind: 'family';
  readonly key: string;
  readonly chainId: number;
  readonly startBlock: number;
  readonly fingerprint: string;
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  readonly master: FamilyConfig | null;
}

/** A price aggregator. */
export interface FeedSource {
  readonly kind: 'feed';
  readonly key: string;
  readonly chainId: number;
  readonly startBlock: number;
  readonly fingerprint: string;
  readonly feed: FeedConfig & { kind: 'aggregator' };
}

export type Source = FamilySource | FeedSource;

/** Returns everything to read from the chains that have an RPC URL. */
export function sourcesOf(config: Pick<Config, 'chains' | 'families' | 'prices'>): Source[] {
  const reachable = new Set(
    config.chains.filter((chain) => chain.rpcUrls.length > 0).map((chain) => chain.chainId),
  );
  const bySlug = new Map(config.families.map((family) => [family.slug, family]));
  const found: Source[] = [];
  for (const family of config.families) {
    const master = bySlug.get(family.feederOf ?? '') ?? null;
    for (const chain of family.chains) {
      if (reachable.has(chain.chainId)) found.push(familySource(family, chain, master));
    }
  }
  for (const feed of config.prices.feeds) {
    if (feed.kind === 'aggregator' && reachable.has(feed.chainId)) found.push(feedSource(feed));
  }
  return found;
}

function familySource(
  family: FamilyConfig,
  chain: FamilyChainConfig,
  master: FamilyConfig | null,
): FamilySource {
  const { adapter, bindingDeclarationAddress } = family;
  const { chainId, address, oracle, registry, routers, custody, vaults } = chain;
  const startBlock = firstBlock(chain.startBlock);
  const positions = family.pools.flatMap(({ position, offchainId }) =>
    position?.chainId === chainId ? [{ offchainId, ...position }] : [],
  );
  // Absent options are omitted, so that fingerprints of older versions stay valid for sources without them.
  const read = {
    address,
    adapter,
    bindingDeclarationAddress,
    startBlock,
    oracle,
    registry,
    routers,
    master: master === null ? undefined : masterOn(master, chainId),
    rules: KINDS[adapter].rules(chain),
    ...(custody.length > 0 && { custody }),
    ...(vaults.length > 0 && { vaults }),
    ...(positions.length > 0 && { positions }),
    ...(chain.rated !== undefined && { rated: readFrom(chain.rated) }),
  };
  const key = `family:${family.slug}`;
  const fingerprint = fingerprintOf(read);
  return { kind: 'family', key, chainId, startBlock, fingerprint, family, chain, master };
}

/** What determines which rows are made, with signatures already as topics and data. */
function readFrom({ share, ledger, rate, unit, flows, custody }: RatedConfig): object {
  return { share, ledger, rate, unit, flows, custody };
}

/** Returns the master's vault on a chain, or its first one. */
export function masterOn(master: FamilyConfig, chainId: number): Address {
  return master.chains.find((chain) => chain.chainId === chainId)?.address ?? master.address;
}

function feedSource(feed: FeedConfig & { kind: 'aggregator' }): FeedSource {
  const { name, chainId, address } = feed;
  const startBlock = firstBlock(feed.startBlock);
  // The first version of the rules stored neither the time of an answer nor the end of a price.
  const fingerprint = fingerprintOf({ address, startBlock, rules: 2 });
  return { kind: 'feed', key: `feed:${name}`, chainId, startBlock, fingerprint, feed };
}

/** The genesis block has no logs, and every checkpoint needs a block before it. */
function firstBlock(configured: number): number {
  return Math.max(1, configured);
}

function fingerprintOf(read: object): string {
  return createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 16);
}
