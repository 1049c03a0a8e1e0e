import type { FastifyInstance, HTTPMethods } from 'fastify';
import { sendProblem } from './bareServer.ts';
import { CORS_HEADERS } from './headers.ts';
import { PAID_PREFLIGHT_HEADERS } from './paid/paidHeaders.ts';
import { problem } from './problem.ts';

const OTHERS: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/**
 * Every GET route registered after this also answers OPTIONS, and 405 to methods that it does not have. Where its
 * access allows it, OPTIONS lets browsers of any origin in.
 */
export function registerMethods(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method !== 'GET') return;
    const access = config?.access ?? 'probe';
    app.route({
      method: OTHERS,
      url,
      config: { access },
      // Before any body is read or judged.
      onRequest: (_request, reply, _done) => {
        reply.header('allow', 'GET, HEAD, OPTIONS');
        sendProblem(reply, problem(405, 'this is read with GET or HEAD'));
      },
      handler: () => {},
    });
    app.options(url, { config: { access } }, (_request, reply) => {
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
