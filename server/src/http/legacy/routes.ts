import type { Config } from '../../config/config.ts';
import { Gone } from '../problem.ts';
import type { Route } from '../route.ts';
import { Problem } from '../schemas.ts';
import { type BridgeDeps, bridgedRoute } from './bridge/bridgedRoute.ts';
import { pointsRoute } from './bridge/pointsRoute.ts';
import { LEGACY_OPERATIONS, type LegacyOperation, parametersOf } from './operations.ts';
import {
  type Deployment,
  describeReplacement,
  describeUnknown,
  fill,
  findDeployment,
} from './successor.ts';

/** The seven operations of the legacy API: each returns its successor, or data while that is configured. */
export function legacyRoutes(deps: Omit<BridgeDeps, 'until'>): Route[] {
  const { config } = deps;
  const { legacyApi } = config;
  const gone = LEGACY_OPERATIONS.map((operation) => goneRoute(operation, config));
  if (legacyApi === undefined) return gone;
  const bridged = LEGACY_OPERATIONS.map((operation, i) => {
    return bridgedRoute(operation, gone[i]!, { ...deps, until: legacyApi.until });
  });
  return [...bridged, pointsRoute()];
}

function goneRoute(operation: LegacyOperation, config: Config): Route {
  const base = config.http.publicUrl ?? '';
  return {
    path: operation.path,
    access: 'open',
    operationId: operation.operationId,
    summary: `${operation.what} (legacy API, ended on September 30, 2026)`,
    description: describe(operation),
    tag: 'previous',
    parameters: parametersOf(operation.path),
    response: Problem,
    responseExample: EXAMPLE,
    problems: [400, 410],
    maxAge: 0,
    answer: async ({ path }) => {
      throw gone(operation, findDeployment(config, path), base);
    },
  };
}

function gone(
  { successor, equivalent }: LegacyOperation,
  deployment: Deployment,
  base: string,
): Gone {
  const unknown = describeUnknown(deployment).join(' ');
  if (!equivalent) {
    const words = `The legacy API has ended. ${describeReplacement(successor, deployment, base)}`;
    return new Gone([words, unknown].filter(Boolean).join(' '), null);
  }
  const url = fill(successor, deployment);
  if (url === null) {
    return new Gone(
      `The legacy API has ended. This is now GET ${base}${successor}. ${unknown}`,
      null,
    );
  }
  const words = `The legacy API has ended. This is now GET ${base}${url}, with a new response schema.`;
  return new Gone([words, unknown].filter(Boolean).join(' '), base + url);
}

function describe({ successor, equivalent }: LegacyOperation): string {
  if (!equivalent) {
    return `Always 410. It has no equivalent; the wallet route, \`${successor}\`, replaces it. The sum over all wallets is \`stats.pendingRedemptionAssets\` of \`/v1/vaults/{slug}\`.`;
  }
  return [
    `Always 410. Its successor is \`GET ${successor}\`, with a new response schema.`,
    'The network (name or chain id) and the vault address are resolved to the slug of the family and the chain. `detail`, `successor`, and the `Link` header have the exact URL.',
    'If this server does not have the vault, the network, or the wallet, and the URL needs it, `successor` is null, and `detail` states what is missing.',
  ].join(' ');
}

const EXAMPLE = {
  type: 'about:blank',
  title: 'Gone',
  status: 410,
  detail:
    'The legacy API has ended. This is now GET /v1/vaults/svcusd, with a new response schema.',
  successor: '/v1/vaults/svcusd',
};
