import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { Gone } from '../problem.ts';
import type { Route, RouteParameter } from '../route.ts';
import { Problem } from '../schemas.ts';
import { describeUnknown, fill, findPlace, type Place } from './successor.ts';

interface Previous {
  readonly operationId: string;
  readonly what: string;
  readonly path: string;
  /** The route of today that answers the same question. */
  readonly successor: string;
  /** False: the wallet route is near it, but no equivalent. */
  readonly equivalent: boolean;
}

const PREVIOUS: readonly Previous[] = [
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
  },
];

/** The seven operations of the previous API: each says where its successor is. */
export function previousRoutes({
  config,
}: {
  readonly config: Pick<Config, 'chains' | 'families' | 'http'>;
}): Route[] {
  const base = config.http.publicUrl ?? '';
  return PREVIOUS.map((previous) => ({
    path: previous.path,
    operationId: previous.operationId,
    summary: `${previous.what} of the previous API, which ended on 30 September 2026`,
    description: describe(previous),
    tag: 'previous',
    parameters: parametersOf(previous.path),
    response: Problem,
    responseExample: EXAMPLE,
    problems: [400, 410],
    maxAge: 0,
    answer: async ({ path }) => {
      throw gone(previous, findPlace(config, path), base);
    },
  }));
}

function gone({ successor, equivalent }: Previous, place: Place, base: string): Gone {
  const unknown = describeUnknown(place).join(' ');
  if (!equivalent) {
    const route =
      base + (place.family ? successor.replace('{slug}', place.family.slug) : successor);
    const words = `The previous API has ended, and this route has no equivalent: the wallet route replaces it, GET ${route}.`;
    return new Gone([words, unknown].filter(Boolean).join(' '), null);
  }
  const url = fill(successor, place);
  if (url === null) {
    return new Gone(
      `The previous API has ended. This is now GET ${base}${successor}. ${unknown}`,
      null,
    );
  }
  const words = `The previous API has ended. This is now GET ${base}${url}, with a new response schema.`;
  return new Gone([words, unknown].filter(Boolean).join(' '), base + url);
}

function describe({ successor, equivalent }: Previous): string {
  if (!equivalent) {
    return `Always 410. It has no equivalent; the wallet route, \`${successor}\`, replaces it.`;
  }
  return [
    `Always 410. Its successor is \`GET ${successor}\`, with a new response schema.`,
    'The network (its name or chain id) and the vault address are resolved to the slug of the family and the chain, and the exact URL is given in `detail`, in `successor` and in the `Link` header.',
    'When the vault, the network or the wallet is not known here, `successor` is null where the URL needs it, and `detail` says what is missing.',
  ].join(' ');
}

const EXAMPLE = {
  type: 'about:blank',
  title: 'Gone',
  status: 410,
  detail:
    'The previous API has ended. This is now GET /v1/vaults/svcusd, with a new response schema.',
  successor: '/v1/vaults/svcusd',
};

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

function parametersOf(path: string): RouteParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name: name!, in: 'path', required: true, ...PARAMETERS[name!]! };
  });
}
