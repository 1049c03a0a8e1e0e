import type { FastifyInstance, HTTPMethods } from 'fastify';
import { sendProblem } from './bareServer.ts';
import { isPaidUrl, PAID_CORS_HEADERS, PAID_PREFLIGHT_HEADERS } from './paid/paidHeaders.ts';
import { problem } from './problem.ts';

const OTHERS: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/**
 * Every GET route registered after this also answers OPTIONS, and 405 to methods that it does not have. Where
 * `isOpen`, OPTIONS lets browsers of any origin in.
 */
export function registerMethods(
  app: FastifyInstance,
  { isOpen }: { isOpen: (url: string) => boolean },
): void {
  app.addHook('onRoute', ({ method, url }) => {
    if (method !== 'GET') return;
    app.route({
      method: OTHERS,
      url,
      // Before any body is read or judged.
      onRequest: (_request, reply, _done) => {
        reply.header('allow', 'GET, HEAD, OPTIONS');
        sendProblem(reply, problem(405, 'this is read with GET or HEAD'));
      },
      handler: () => {},
    });
    app.options(url, (_request, reply) => {
      reply.code(204).header('allow', 'GET, HEAD, OPTIONS');
      const paid = isPaidUrl(url);
      if (isOpen(url) || paid) {
        reply
          .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
          .header('access-control-allow-headers', paid ? PAID_PREFLIGHT_HEADERS : '*')
          .header('access-control-max-age', '86400');
        if (paid) reply.headers(PAID_CORS_HEADERS);
      }
      reply.send();
    });
  });
}
