import type { FastifyInstance } from 'fastify';
import { sendProblem } from './bareServer.ts';
import { problem } from './problem.ts';
import type { ServerDeps } from './serverDeps.ts';
import { describeChain, getUnready, presentStatus } from './status.ts';

/** Liveness, readiness and the state of the chains. */
export function registerHealth(app: FastifyInstance, deps: ServerDeps): void {
  app.get('/health/live', (_request, reply) => {
    reply.header('cache-control', 'no-store').send({ status: 'live' });
  });

  app.get('/health/ready', async (_request, reply) => {
    const statuses = await deps.getChainStatuses();
    const unready = getUnready(statuses);
    const chains = statuses.map((status) => ({
      chainId: status.chainId,
      name: status.name,
      state: status.state,
      backfilled: status.backfilled,
    }));
    if (unready.length > 0) {
      const detail = `not ready: ${unready.map(describeChain).join('; ')}`;
      sendProblem(reply, { ...problem(503, detail), retryAfterSeconds: 5 }, { chains });
      return reply;
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready', chains });
  });

  app.get('/v1/status', async (_request, reply) => {
    const statuses = await deps.getChainStatuses();
    return reply.header('cache-control', 'no-store').send(presentStatus(statuses, deps.version));
  });
}
