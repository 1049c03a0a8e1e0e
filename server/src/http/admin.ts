import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdminCommandsDeps, registerAdminCommands } from './adminCommands.ts';
import { createHttpServer } from './httpServer.ts';
import type { Metrics } from './metrics.ts';
import { type Problem, problem } from './problem.ts';

/** The only address on which the admin server may listen. */
export const ADMIN_HOST = '127.0.0.1';

export interface ProbedDeps {
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
  /** Rejects while the database is unavailable: an indexer, which has no API, is not ready then. */
  readonly checkStore?: () => Promise<unknown>;
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Creates the operator's server, not yet listening: metrics, health, and commands if there are any. It checks the
 * Host header, so that a web page cannot reach it through a name that resolves to this machine.
 */
export function createAdminServer(
  deps: ProbedDeps & { readonly commands?: Omit<AdminCommandsDeps, 'onError'> },
): FastifyInstance {
  const app = createHttpServer({ onError: deps.onError, guard: refuseOthers });
  registerProbes(app, deps);
  if (deps.commands) registerAdminCommands(app, { ...deps.commands, onError: deps.onError });
  return app;
}

/** Serves only metrics and health, for machines without access to the operator's commands. */
export function createMetricsServer(deps: ProbedDeps): FastifyInstance {
  const app = createHttpServer({ onError: deps.onError, guard: () => undefined });
  registerProbes(app, deps);
  return app;
}

function registerProbes(app: FastifyInstance, { metrics, checkStore }: ProbedDeps): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    await checkStore?.();
    return { status: 'ready' };
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.read();
    return reply.header('content-type', metrics.contentType).send(text);
  });
}

function refuseOthers({ headers }: FastifyRequest): Problem | undefined {
  if (LOOPBACK.test(headers.host ?? '')) return undefined;
  return problem(403, 'this port accepts only requests to 127.0.0.1 and localhost');
}
