import type { FastifyInstance, HTTPMethods } from 'fastify';
import { CORS_HEADERS } from './headers.ts';
import { sendProblem } from './httpServer.ts';
import { PAID_PREFLIGHT_HEADERS } from './paid/paidHeaders.ts';
import { problem } from './problem.ts';

const OTHERS: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/**
 * Every GET route registered after this also handles OPTIONS, and returns 405 for other methods. If its access allows
 * it, OPTIONS allows browsers of any origin.
 */
export function registerMethods(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method !== 'GET') return;
    const { access = 'probe', route } = config ?? {};
    const own = { access, ...(route !== undefined && { route }) };
    app.route({
      method: OTHERS,
      url,
      config: own,
      // Before a body is read or validated.
      onRequest: (_request, reply, _done) => {
        reply.header('allow', 'GET, HEAD, OPTIONS');
        sendProblem(reply, problem(405, 'only GET and HEAD are supported'));
      },
      handler: () => {},
    });
    app.options(url, { config: own }, (_request, reply) => {
      reply.code(204).header('allow', 'GET, HEAD, OPTIONS');
      if (access !== 'probe') {
        reply
          .headers(CORS_HEADERS[access])
          .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
          .header('access-control-allow-headers', access === 'paid' ? PAID_PREFLIGHT_HEADERS : '*')
          .header('access-control-max-age', '86400');
      }
      reply.send();
    });
  });
}
