import type { Config } from '../../config/config.ts';
import { Gone } from '../problem.ts';
import type { Route } from '../route.ts';
import { Problem } from '../schemas.ts';
import { type BridgeDeps, bridgedRoute } from './bridge/bridgedRoute.ts';
import { pointsRoute } from './bridge/pointsRoute.ts';
import { PREVIOUS, type Previous, parametersOf } from './operations.ts';
import { describeUnknown, fill, findPlace, type Place } from './successor.ts';

/** The seven operations of the previous API: each says where its successor is, or while it is configured answers. */
export function previousRoutes(deps: Omit<BridgeDeps, 'until'>): Route[] {
  const { config } = deps;
  const { previousApi } = config;
  const gone = PREVIOUS.map((previous) => goneRoute(previous, config));
  if (previousApi === undefined) return gone;
  const bridged = PREVIOUS.map((previous, i) => {
    return bridgedRoute(previous, gone[i]!, { ...deps, until: previousApi.until });
  });
  return [...bridged, pointsRoute()];
}

function goneRoute(previous: Previous, config: Config): Route {
  const base = config.http.publicUrl ?? '';
  return {
    path: previous.path,
    access: 'open',
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
  };
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
