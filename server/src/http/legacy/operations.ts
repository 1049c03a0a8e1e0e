import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';

/** An operation of the legacy API. */
export interface LegacyOperation {
  readonly operationId: string;
  readonly what: string;
  readonly path: string;
  /** The current route for the same data. */
  readonly successor: string;
  /** False: the wallet route replaces it, but is not equivalent, and its wallet is not in the URL. */
  readonly equivalent: boolean;
}

/** The seven operations of the legacy API. */
export const LEGACY_OPERATIONS: readonly LegacyOperation[] = [
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
    what: 'Pending redemptions of a vault',
    path: '/api/v1/vault/pending-redeems/{network}/{vaultAddress}',
    successor: '/v1/users/{walletAddress}/pending-redeems?family={slug}',
    equivalent: false,
  },
];

const PARAMETERS: Readonly<Record<string, Omit<RouteParameter, 'name' | 'in' | 'required'>>> = {
  network: {
    description: 'Network name, such as base, ethereum, or arbitrum, or chain id.',
    schema: Type.String(),
    example: 'base',
  },
  vaultAddress: {
    description: 'Vault address, in any case.',
    schema: Type.String(),
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  userAddress: {
    description: 'Wallet address, in any case.',
    schema: Type.String(),
    example: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  },
};

export function parametersOf(path: string): RouteParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name: name!, in: 'path', required: true, ...PARAMETERS[name!]! };
  });
}

/** Finds the operation of a legacy path and its values; undefined for any other path. */
export function findLegacyOperation(
  path: string,
):
  | { readonly operation: LegacyOperation; readonly values: Readonly<Record<string, string>> }
  | undefined {
  const parts = path.split('/');
  for (const operation of LEGACY_OPERATIONS) {
    const segments = operation.path.split('/');
    if (segments.length !== parts.length) continue;
    const values: Record<string, string> = {};
    const fits = segments.every((segment, i) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) values[name] = parts[i]!;
      return name !== undefined || segment === parts[i];
    });
    if (fits) return { operation, values };
  }
  return undefined;
}
