import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unixTime } from '../runtime/unixTime.ts';
import { createBareServer } from './bareServer.ts';
import { createClientOf } from './clientAddress.ts';
import { registerDocs } from './docs/registerDocs.ts';
import { isLimited, isOpen, OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { registerHealth } from './health.ts';
import { createKeptAnswers } from './keptAnswers.ts';
import { registerMethods } from './methods.ts';
import { registerPaidRoutes } from './paid/registerPaidRoutes.ts';
import { type Problem, problem } from './problem.ts';
import { createRateLimit } from './rateLimit.ts';
import { type AnswerFirst, registerRoutes } from './registerRoutes.ts';
import type { ServerDeps } from './serverDeps.ts';

/** The public server, not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const limit = deps.http?.rateLimit && createRateLimit(deps.http.rateLimit);
  const app = createBareServer({ onError: deps.onError, guard });
  const answers = createKeptAnswers();
  deps.onFamilyChange?.(answers.forget);
  registerMethods(app, { isOpen });
  registerHealth(app, deps);
  const routes = deps.routes ?? [];
  const now = deps.now ?? unixTime;
  const { paid, onError } = deps;
  const { rateLimit } = deps.http ?? {};
  const sendPlain = registerRoutes(app, routes, { answers, limit, now, onError });
  const sendQuoted =
    paid &&
    registerPaidRoutes(app, paid.routes, {
      gate: paid.gate,
      prices: paid.offer.prices,
      limit: rateLimit && createRateLimit({ ...rateLimit, ...paid.offer.addressLimit }),
      clientOf: createClientOf(rateLimit?.trustedProxies ?? []),
      now,
      onError,
    });
  registerDocs(app, {
    routes: [...routes, ...(paid?.routes ?? [])],
    version: deps.version,
    publicUrl: deps.http?.publicUrl,
    rateLimit: deps.http?.rateLimit,
    offer: paid?.offer,
  });
  answerFirst(
    app,
    (request, response) => sendPlain(request, response) || sendQuoted?.(request, response) === true,
  );
  return app;

  function guard(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    // By the route that was found: its URL has many spellings.
    const { url: route } = request.routeOptions;
    const place = route ?? request.url;
    reply.headers(SECURITY_HEADERS);
    if (isOpen(place)) reply.headers(OPEN_HEADERS);
    const wait = route === undefined || isLimited(place) ? limit?.take(request.raw) : undefined;
    if (wait === undefined) return undefined;
    const words = `more requests than one client may send; wait ${wait} s`;
    return { ...problem(429, words), retryAfterSeconds: wait };
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
