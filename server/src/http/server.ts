import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitConfig } from '../config/config.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { createBareServer } from './bareServer.ts';
import { createClientOf } from './clientAddress.ts';
import { registerDashboard } from './dashboard.ts';
import { discoveryRoutes } from './docs/discoveryRoutes.ts';
import { docsRoutes } from './docs/docsRoutes.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { healthRoutes } from './healthRoutes.ts';
import { createKeptAnswers } from './keptAnswers.ts';
import { registerMethods } from './methods.ts';
import { createOpenApi } from './openapi.ts';
import type { OpenApi } from './openapiDocument.ts';
import { isPaidRoute } from './paid/paidRoute.ts';
import { registerPaidRoutes } from './paid/registerPaidRoutes.ts';
import { type Problem, problem } from './problem.ts';
import { createRateLimit } from './rateLimit.ts';
import { type AnswerFirst, registerRoutes } from './registerRoutes.ts';
import type { Route } from './route.ts';
import type { ServerDeps } from './serverDeps.ts';

/** The public server, not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { paid, onError, now = unixTime } = deps;
  const { rateLimit } = deps.http ?? {};
  const limit = rateLimit && limitOf('clients', rateLimit);
  const app = createBareServer({ onError, guard });
  const answers = createKeptAnswers();
  deps.onFamilyChange?.(answers.forget);
  registerMethods(app);
  const routes = serverRoutes(deps);
  const free = routes.filter((route) => !isPaidRoute(route));
  const sendPlain = registerRoutes(app, free, { answers, limit, now, onError });
  const sendQuoted =
    paid &&
    registerPaidRoutes(app, routes.filter(isPaidRoute), {
      gate: paid.gate,
      prices: paid.offer.prices,
      limit: rateLimit && limitOf('buyers', { ...rateLimit, ...paid.offer.addressLimit }),
      clientOf: createClientOf(rateLimit?.trustedProxies ?? []),
      now,
      onError,
    });
  if (deps.dashboard !== undefined) registerDashboard(app, deps.dashboard);
  answerFirst(
    app,
    (request, response) => sendPlain(request, response) || sendQuoted?.(request, response) === true,
  );
  return app;

  function limitOf(name: string, config: RateLimitConfig) {
    return createRateLimit(config, { buckets: deps.createBuckets?.(name, config) });
  }

  function guard(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    // By the route that was found: its URL has many spellings. What is no route is everybody's.
    const { access = 'open' } = request.routeOptions.config ?? {};
    reply.headers(SECURITY_HEADERS).headers(CORS_HEADERS[access]);
    const wait = access === 'open' ? limit?.take(request.raw) : undefined;
    if (wait === undefined) return undefined;
    const words = `more requests than one client may send; wait ${wait} s`;
    return { ...problem(429, words), retryAfterSeconds: wait };
  }
}

/** Every route of a server, in the order of its documents. */
export function serverRoutes(deps: Omit<ServerDeps, 'onError'>): readonly Route[] {
  const sells = deps.paid !== undefined;
  const routes: readonly Route[] = [
    ...(deps.routes ?? []).filter((route) => sells || !isPaidRoute(route)),
    ...healthRoutes(deps),
    ...docsRoutes(getDocument),
    ...discoveryRoutes(() => routes, getDocument, urlOf),
  ];
  return routes;

  function getDocument(): OpenApi {
    return createOpenApi({
      routes,
      version: deps.version,
      publicUrl: deps.http?.publicUrl,
      rateLimit: deps.http?.rateLimit,
      offer: deps.paid?.offer,
    });
  }

  function urlOf(): string {
    return deps.paid?.offer.publicUrl ?? deps.http?.publicUrl ?? deps.url?.() ?? '';
  }
}

/** Lets `answer` try every request before the framework sees it. */
function answerFirst(app: FastifyInstance, answer: AnswerFirst): void {
  const { server } = app;
  const others = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // While it closes, the framework ends each connection with its answer.
    if (server.listening && request.headers.host !== undefined && answer(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
}
