import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitConfig } from '../config/config.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { createClientOf, createIsProxied, createPeerOf } from './clientAddress.ts';
import { registerDashboard, sendUnknownPage } from './dashboard.ts';
import { discoveryRoutes } from './docs/discoveryRoutes.ts';
import { docsRoutes } from './docs/docsRoutes.ts';
import { shellOf } from './docs/page.ts';
import { sendProblemPage, wantsPage } from './docs/problemPage.ts';
import { searchFile } from './docs/searchIndex.ts';
import { exchangeOf, requestIdHeader } from './exchange.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { healthRoutes } from './healthRoutes.ts';
import { createHttpServer } from './httpServer.ts';
import { registerMethods } from './methods.ts';
import { createRequestObserver } from './observeRequests.ts';
import { createOpenApi } from './openapi.ts';
import type { OpenApi } from './openapiDocument.ts';
import { isPaidRoute } from './paid/paidRoute.ts';
import { registerPaidRoutes } from './paid/registerPaidRoutes.ts';
import { noSuch, type Problem, problem } from './problem.ts';
import { createRateLimit } from './rateLimit.ts';
import { registerRoutes } from './registerRoutes.ts';
import { createResponseCache } from './responseCache.ts';
import type { Route } from './route.ts';
import type { ServerDeps } from './serverDeps.ts';
import { PICTURES, registerFiles } from './siteFiles.ts';

/** Creates the public server, not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { paid, onError, now = unixTime } = deps;
  const { rateLimit } = deps.http ?? {};
  const limit = rateLimit && limitOf('clients', rateLimit);
  const connections = {
    ...(rateLimit && { clientOf: createPeerOf(rateLimit), perClient: mostOf(rateLimit) }),
    ...deps.connections,
  };
  const app = createHttpServer({
    onError,
    observe: createRequestObserver(deps.observers ?? {}),
    isProxied: createIsProxied(rateLimit?.trustedProxies ?? []),
    guard,
    connections,
    answerUnknown: (request, reply) =>
      sendUnknownPage(request, reply, deps.dashboard) ||
      (isDocs(request.url) && answerPage(request, reply, problem(404, noSuch('page')))),
    answerProblem: (request, reply, answer) =>
      request.routeOptions.config.isPage === true && answerPage(request, reply, answer),
  });
  const cache = createResponseCache();
  deps.onFamilyChange?.(cache.forget);
  deps.database?.health.onChange(cache.clear);
  registerMethods(app);
  const routes = serverRoutes(deps);
  const { getDocument, urlOf } = documentsOf(deps, () => routes);
  const free = routes.filter((route) => !isPaidRoute(route));
  registerRoutes(app, free, { cache, limit, now, reads: deps.database?.freeReads });
  if (paid !== undefined) {
    registerPaidRoutes(app, routes.filter(isPaidRoute), {
      gate: paid.gate,
      prices: paid.offer.prices,
      limit: rateLimit && limitOf('buyers', { ...rateLimit, ...paid.offer.addressLimit }),
      clientOf: createClientOf(rateLimit?.trustedProxies ?? []),
      now,
    });
  }
  registerFiles(app, [...PICTURES, searchFile(getDocument)]);
  if (deps.dashboard !== undefined) registerDashboard(app, deps.dashboard);
  return app;

  function limitOf(name: string, config: RateLimitConfig) {
    return createRateLimit(config, { buckets: deps.createBuckets?.(name, config) });
  }

  function answerPage(request: FastifyRequest, reply: FastifyReply, answer: Problem): boolean {
    if (!wantsPage(request)) return false;
    sendProblemPage(request, reply, answer, shellOf(getDocument(), urlOf()));
    return true;
  }

  function guard(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    // By the matched route: its URL has many forms. Unknown paths are open to all.
    const { access = 'open', route } = request.routeOptions.config ?? {};
    const exchange = exchangeOf(reply.raw);
    if (exchange !== undefined) exchange.route = route;
    reply.headers(SECURITY_HEADERS).headers(CORS_HEADERS[access]);
    reply.headers(requestIdHeader(reply.raw));
    const wait = access === 'open' ? limit?.take(request.raw) : undefined;
    if (wait === undefined) return undefined;
    const words = `rate limit exceeded; retry after ${wait} s`;
    return { ...problem(429, words), retryAfterSeconds: wait };
  }
}

function isDocs(url: string): boolean {
  return /^\/docs(\/|$)/.test(url);
}

function mostOf({ connections = 0 }: RateLimitConfig): number {
  return connections === 0 ? Number.POSITIVE_INFINITY : connections;
}

/** Every route of a server, in the order of its documents. */
export function serverRoutes(deps: Omit<ServerDeps, 'onError'>): readonly Route[] {
  const sells = deps.paid !== undefined;
  const { getDocument, urlOf } = documentsOf(deps, () => routes);
  const routes: readonly Route[] = [
    ...(deps.routes ?? []).filter((route) => sells || !isPaidRoute(route)),
    ...healthRoutes(deps),
    ...docsRoutes(getDocument, urlOf),
    ...discoveryRoutes(() => routes, getDocument, urlOf),
  ];
  return routes;
}

function documentsOf(deps: Omit<ServerDeps, 'onError'>, getRoutes: () => readonly Route[]) {
  let made: OpenApi | undefined;
  return { getDocument, urlOf };

  function getDocument(): OpenApi {
    made ??= createOpenApi({
      routes: getRoutes(),
      version: deps.version,
      publicUrl: deps.http?.publicUrl,
      rateLimit: deps.http?.rateLimit,
      offer: deps.paid?.offer,
    });
    return made;
  }

  function urlOf(): string {
    return deps.paid?.offer.publicUrl ?? deps.http?.publicUrl ?? deps.url?.() ?? '';
  }
}
