import type { FastifyInstance } from 'fastify';
import { createBareServer, MAX_URL_LENGTH, sendProblem } from './bareServer.ts';
import { registerHealth } from './health.ts';
import { registerMethods } from './methods.ts';
import { problem } from './problem.ts';
import type { ServerDeps } from './serverDeps.ts';

/** For JSON: nothing in it may be run, framed or guessed at. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** The public server, not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const app = createBareServer(deps.onError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (isVaultData(request.url)) {
      reply.header('access-control-allow-origin', '*');
      reply.header('access-control-expose-headers', 'ETag, Retry-After');
    }
    if (request.url.length > MAX_URL_LENGTH) return sendProblem(reply, problem(414));
    done();
  });
  registerMethods(app, { isOpen: isVaultData });
  registerHealth(app, deps);
  return app;
}

function isVaultData(url: string): boolean {
  return url.startsWith('/v1/');
}
