import type { FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import { type Address, lower } from '../domain/hex.ts';
import type { JoinedFilter } from './read/reader.ts';

/** The contracts whose logs are read on a chain, as far as the configuration names them. */
export interface ExpectedFilters {
  /** Contracts of which every log is read: of ERC-7540 vaults. */
  readonly whole: ReadonlySet<Address>;
  /** Contracts of which certain topics are read: of other vaults, and price feeds. */
  readonly others: ReadonlySet<Address>;
}

export function expectedFilters(
  families: readonly Pick<FamilyConfig, 'adapter' | 'chains'>[],
  feeds: readonly Address[],
  chainId: number,
): ExpectedFilters {
  const whole = new Set<Address>();
  const others = new Set(feeds.map(lower));
  for (const { adapter, chains } of families) {
    for (const chain of chains.filter((one) => one.chainId === chainId)) {
      const own = adapter === 'erc7540' ? whole : others;
      for (const address of contractsOf(chain)) own.add(lower(address));
    }
  }
  for (const address of whole) others.delete(address);
  return { whole, others };
}

/** Adds the contracts that those in the configuration name, such as share tokens and oracles. */
export function withFound(
  { whole, others }: ExpectedFilters,
  found: Pick<JoinedFilter, 'addresses' | 'whole'>,
): ExpectedFilters {
  const all = new Set([...whole, ...found.whole]);
  const rest = [...others, ...found.addresses].filter((address) => !all.has(address));
  return { whole: all, others: new Set(rest) };
}

/** Returns the requests for the logs of one range: the two filters are read apart, and split by addresses. */
export function logRequestsOf({ whole, others }: ExpectedFilters, maxAddresses: number): number {
  return Math.ceil(whole.size / maxAddresses) + Math.ceil(others.size / maxAddresses);
}

function contractsOf(chain: FamilyChainConfig): Address[] {
  const { address, vaults, share, oracle, registry, rated } = chain;
  const named =
    rated === undefined
      ? [address, ...vaults, share, oracle, registry]
      : [rated.share, ...[...rated.flows, ...rated.watch].map(({ contract }) => contract)];
  return named.filter((one) => one !== undefined);
}
