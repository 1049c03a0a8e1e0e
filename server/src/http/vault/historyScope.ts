import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { Home } from '../../store/history/read.ts';
import type { ReadStates } from '../../store/sources/readState.ts';
import { checksummed } from '../checksum.ts';

/** Where a page of history looks, and what it may lack. */
export interface HistoryScope {
  readonly homes: readonly Home[];
  /** As it is shown, by the family's id. */
  readonly vaults: ReadonlyMap<string, Address>;
  readonly incompleteChains: readonly IncompleteChain[];
}

interface IncompleteChain {
  readonly family: string;
  readonly chainId: number;
  readonly reason: 'unconfigured' | 'syncing' | 'unreachable';
}

/** Finds scopes; those over all chains are found once for each reading of the states. */
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
    // A list of one is made for each request.
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
        .map(({ chainId }) => ({ ...family, familyId: states.familyId(family.slug), chainId })),
    );
    // A family that the store does not know yet has no rows.
    const stored = asked.filter((one): one is typeof one & Home => one.familyId !== undefined);
    return {
      homes: stored.map(({ familyId, chainId }) => ({ familyId, chainId })),
      vaults: new Map(stored.map((one) => [String(one.familyId), checksummed(one.address)])),
      incompleteChains: asked.flatMap(({ slug, chainId }) => {
        const reason = unconfigured.has(chainId) ? 'unconfigured' : states.stateOf(slug, chainId);
        return reason === 'current' ? [] : [{ family: slug, chainId, reason }];
      }),
    };
  }
}
