import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { Deployment } from '../../store/history/read.ts';
import type { ReadStates } from '../../store/sources/readState.ts';
import { checksummed } from '../checksum.ts';

/** The chains of a page of history, and those that may be incomplete. */
export interface HistoryScope {
  readonly deployments: readonly Deployment[];
  readonly vaults: VaultAddresses;
  /** Whether a family has additional vaults over its share: then each row needs its vault. */
  readonly hasFurther: boolean;
  readonly incompleteChains: readonly IncompleteChain[];
}

/** The vault in the response, by family id and chain id, both as in rows. */
export type VaultAddresses = ReadonlyMap<string, ReadonlyMap<string, Address>>;

interface IncompleteChain {
  readonly family: string;
  readonly chainId: number;
  readonly reason: 'unconfigured' | 'syncing' | 'unreachable';
}

/** Finds scopes; those over all chains are computed once per read of the states. */
export function createScopes({ chains }: Config) {
  const unconfigured = new Set(
    chains.flatMap(({ chainId, rpcUrls }) => (rpcUrls.length === 0 ? [chainId] : [])),
  );
  let known = new Map<readonly FamilyConfig[] | FamilyConfig, HistoryScope>();
  let knownFor: ReadStates | undefined;

  return (
    states: ReadStates,
    families: readonly FamilyConfig[],
    chainId: number | undefined,
  ): HistoryScope => {
    if (chainId !== undefined) return find(states, families, chainId);
    if (knownFor !== states) known = new Map();
    knownFor = states;
    // A list of one is created for each request.
    const key = families.length === 1 ? families[0]! : families;
    const scope = known.get(key) ?? find(states, families, chainId);
    known.set(key, scope);
    return scope;
  };

  function find(
    states: ReadStates,
    families: readonly FamilyConfig[],
    only: number | undefined,
  ): HistoryScope {
    const asked = families.flatMap((family) =>
      family.chains
        .filter(({ chainId }) => only === undefined || chainId === only)
        .map(({ chainId, address, vaults }) => {
          const familyId = states.familyId(family.slug);
          return { slug: family.slug, familyId, chainId, address, further: vaults.length };
        }),
    );
    // A family that is not in the store yet has no rows.
    const stored = asked.filter(
      (one): one is typeof one & Deployment => one.familyId !== undefined,
    );
    return {
      deployments: stored.map(({ familyId, chainId }) => ({ familyId, chainId })),
      vaults: addressesOf(stored),
      hasFurther: stored.some(({ further }) => further > 0),
      incompleteChains: asked.flatMap(({ slug, chainId }) => {
        const reason = unconfigured.has(chainId) ? 'unconfigured' : states.stateOf(slug, chainId);
        return reason === 'current' ? [] : [{ family: slug, chainId, reason }];
      }),
    };
  }
}

function addressesOf(
  stored: readonly (Deployment & { readonly address: Address })[],
): VaultAddresses {
  const found = new Map<string, Map<string, Address>>();
  for (const { familyId, chainId, address } of stored) {
    const own = found.get(`${familyId}`) ?? new Map<string, Address>();
    found.set(`${familyId}`, own.set(`${chainId}`, checksummed(address)));
  }
  return found;
}
