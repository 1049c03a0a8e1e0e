import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdminCommandsDeps, registerAdminCommands } from './adminCommands.ts';
import { createBareServer } from './bareServer.ts';
import type { Metrics } from './metrics.ts';
import { type Problem, problem } from './problem.ts';

/** The only place where the admin server may listen. */
export const ADMIN_HOST = '127.0.0.1';

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * The operator's server, not yet listening: metrics, and commands where there are any. It checks the Host header, so
 * that a web page cannot reach it through a name that it points at this machine.
 */
export function createAdminServer(deps: {
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
  readonly commands?: Omit<AdminCommandsDeps, 'onError'>;
}): FastifyInstance {
  const app = createBareServer({ onError: deps.onError, guard: refuseOthers });
  registerMetrics(app, deps.metrics);
  if (deps.commands) registerAdminCommands(app, { ...deps.commands, onError: deps.onError });
  return app;
}

/** Metrics alone, for machines that may not have the operator's commands. */
export function createMetricsServer(deps: {
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
}): FastifyInstance {
  const app = createBareServer({ onError: deps.onError, guard: () => undefined });
  registerMetrics(app, deps.metrics);
  return app;
}

function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.read();
    return reply.header('content-type', metrics.contentType).send(text);
  });
}

function refuseOthers({ headers }: FastifyRequest): Problem | undefined {
  if (LOOPBACK.test(headers.host ?? '')) return undefined;
  return problem(403, 'this port answers to 127.0.0.1 and localhost only');
}
