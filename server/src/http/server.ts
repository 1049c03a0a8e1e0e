import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createBareServer, MAX_URL_LENGTH, sendProblem } from './bareServer.ts';
import { registerDocs } from './docs/registerDocs.ts';
import { isOpen, OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { registerHealth } from './health.ts';
import { createKeptAnswers } from './keptAnswers.ts';
import { registerMethods } from './methods.ts';
import { registerPaidRoutes } from './paid/registerPaidRoutes.ts';
import { problem } from './problem.ts';
import { createRateLimit } from './rateLimit.ts';
import { type AnswerFirst, registerRoutes } from './registerRoutes.ts';
import type { ServerDeps } from './serverDeps.ts';

/** The public server, not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const app = createBareServer(deps.onError);
  const limit = deps.http?.rateLimit && createRateLimit(deps.http.rateLimit);
  const answers = createKeptAnswers();
  deps.onFamilyChange?.(answers.forget);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (isOpen(request.url)) reply.headers(OPEN_HEADERS);
    if (request.url.length > MAX_URL_LENGTH) return sendProblem(reply, problem(414));
    const wait = isOpen(request.url) ? limit?.take(request.raw) : undefined;
    if (wait === undefined) return done();
    const words = `more requests than one client may send; wait ${wait} s`;
    sendProblem(reply, { ...problem(429, words), retryAfterSeconds: wait });
  });
  registerMethods(app, { isOpen });
  registerHealth(app, deps);
  const routes = deps.routes ?? [];
  const now = deps.now ?? unixNow;
  const { paid, onError } = deps;
  const sendPlain = registerRoutes(app, routes, { answers, limit, now, onError });
  const sendQuoted =
    paid &&
    registerPaidRoutes(app, paid.routes, {
      gate: paid.gate,
      prices: paid.prices,
      now,
      onError,
    });
  registerDocs(app, {
    routes: [...routes, ...(paid?.routes ?? [])],
    version: deps.version,
    publicUrl: deps.http?.publicUrl,
  });
  answerFirst(
    app,
    (request, response) => sendPlain(request, response) || sendQuoted?.(request, response) === true,
  );
  return app;
}

function unixNow(): number {
  return Math.floor(Date.now() / 1000);
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
    if (server.listening && answer(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
}
