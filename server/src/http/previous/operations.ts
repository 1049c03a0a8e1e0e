import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';

/** An operation of the previous API. */
export interface Previous {
  readonly operationId: string;
  readonly what: string;
  readonly path: string;
  /** The route of today that answers the same question. */
  readonly successor: string;
  /** False: the wallet route is near it, but no equivalent. */
  readonly equivalent: boolean;
  /** Where there is none: the route whose answer has the same figure among others. */
  readonly partOf?: string;
}

/** The seven operations of the previous API. */
export const PREVIOUS: readonly Previous[] = [
  {
    operationId: 'previousVault',
    what: 'Vault snapshot',
    path: '/api/v1/vault/{network}/{vaultAddress}',
    successor: '/v1/vaults/{slug}',
    equivalent: true,
  },
  {
    operationId: 'previousVaultYield',
    what: 'APY history',
    path: '/api/v1/vault/yield/timeseries/{network}/{vaultAddress}',
    successor: '/v1/vaults/{slug}/timeseries/apy',
    equivalent: true,
  },
  {
    operationId: 'previousVaultTvl',
    what: 'TVL history',
    path: '/api/v1/vault/tvl/timeseries/{network}/{vaultAddress}',
    successor: '/v1/vaults/{slug}/timeseries/tvl',
    equivalent: true,
  },
  {
    operationId: 'previousUserHistory',
    what: 'User history',
    path: '/api/v1/history/user/{network}/{vaultAddress}/{userAddress}',
    successor: '/v1/history?family={slug}&user={walletAddress}&chainId={chainId}',
    equivalent: true,
  },
  {
    operationId: 'previousUserPendingRedeems',
    what: 'Pending redemptions of a wallet',
    path: '/api/v1/vault/pending-redeems/{network}/{vaultAddress}/{userAddress}',
    successor: '/v1/users/{walletAddress}/pending-redeems?family={slug}',
    equivalent: true,
  },
  {
    operationId: 'previousUserPerformance',
    what: 'User performance',
    path: '/api/v1/performance/user/{network}/{vaultAddress}/{userAddress}',
    successor: '/v1/performance/{walletAddress}?family={slug}',
    equivalent: true,
  },
  {
    operationId: 'previousVaultPendingRedeems',
    what: 'Pending redemptions of a whole vault',
    path: '/api/v1/vault/pending-redeems/{network}/{vaultAddress}',
    successor: '/v1/users/{walletAddress}/pending-redeems?family={slug}',
    equivalent: false,
    partOf: '/v1/vaults/{slug}',
  },
];

const PARAMETERS: Readonly<Record<string, Omit<RouteParameter, 'name' | 'in' | 'required'>>> = {
  network: {
    description: "The network's name, such as base, ethereum or arbitrum, or its chain id.",
    schema: Type.String(),
    example: 'base',
  },
  vaultAddress: {
    description: 'The vault, in any case.',
    schema: Type.String(),
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  userAddress: {
    description: 'The wallet, in any case.',
    schema: Type.String(),
    example: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  },
};

export function parametersOf(path: string): RouteParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name: name!, in: 'path', required: true, ...PARAMETERS[name!]! };
  });
}

/** The operation that a path of the previous API asks for, with the values in it; undefined for any other path. */
export function findPrevious(
  path: string,
): { readonly previous: Previous; readonly values: Readonly<Record<string, string>> } | undefined {
  const parts = path.split('/');
  for (const previous of PREVIOUS) {
    const places = previous.path.split('/');
    if (places.length !== parts.length) continue;
    const values: Record<string, string> = {};
    const fits = places.every((place, i) => {
      const name = /^\{(\w+)\}$/.exec(place)?.[1];
      if (name !== undefined) values[name] = parts[i]!;
      return name !== undefined || place === parts[i];
    });
    if (fits) return { previous, values };
  }
  return undefined;
}
