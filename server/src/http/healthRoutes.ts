import { pageParameters } from './familyPages.ts';
import { ChainsUnready } from './problem.ts';
import type { Route } from './route.ts';
import type { ServerDeps } from './serverDeps.ts';
import { describeChain, getUnready } from './status.ts';
import { createStatusPages, STATUS_PATH } from './statusPages.ts';
import {
  liveSchema,
  readyExample,
  readySchema,
  statusExample,
  statusSchema,
} from './statusSchema.ts';

export type HealthDeps = Pick<ServerDeps, 'version' | 'getChainStatuses' | 'cursorKey' | 'http'>;

/** The state of the chains, liveness and readiness. */
export function healthRoutes(deps: HealthDeps): Route[] {
  const { getChainStatuses } = deps;
  const pageStatus = createStatusPages(deps);
  return [
    {
      path: STATUS_PATH,
      access: 'open',
      operationId: 'getStatus',
      summary: 'How far each chain is',
      description:
        'Every configured chain with its head, what is indexed of it, its last error, and how far each family and each price feed is there. Every page has all chains and feeds; a page has up to 500 families, in the order of the chains and then of the configuration, and if more follow, the `Link` header has the URL of the next page. Never cached.',
      tag: 'service',
      parameters: pageParameters,
      response: statusSchema,
      responseExample: statusExample,
      problems: [400],
      paged: true,
      maxAge: 0,
      answer: async (request) => pageStatus(await getChainStatuses(), request),
    },
    {
      path: '/health/live',
      access: 'probe',
      operationId: 'getLiveness',
      summary: 'Whether the process answers',
      description: 'Says nothing of the database or the chains.',
      tag: 'service',
      parameters: [],
      response: liveSchema,
      responseExample: { status: 'live' },
      problems: [],
      maxAge: 0,
      answer: async () => ({ status: 'live' }),
    },
    {
      path: '/health/ready',
      access: 'probe',
      operationId: 'getReadiness',
      summary: 'Whether requests can be served',
      description:
        '503 while the past of a chain is being read for the first time, or while the database is away. A chain that cannot be reached holds nobody back.',
      tag: 'service',
      parameters: [],
      response: readySchema,
      responseExample: readyExample,
      problems: [503],
      maxAge: 0,
      async answer() {
        const statuses = await getChainStatuses();
        const chains = statuses.map(({ chainId, name, state, backfilled }) => {
          return { chainId, name, state, backfilled };
        });
        const unready = getUnready(statuses);
        if (unready.length === 0) return { status: 'ready', chains };
        throw new ChainsUnready(`not ready: ${unready.map(describeChain).join('; ')}`, chains);
      },
    },
  ];
}
