import { ChainsUnready } from './problem.ts';
import type { Route } from './route.ts';
import { type ChainStatus, describeChain, getUnready, presentStatus } from './status.ts';
import {
  liveSchema,
  readyExample,
  readySchema,
  statusExample,
  statusSchema,
} from './statusSchema.ts';

export interface HealthDeps {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
}

/** The state of the chains, liveness and readiness. */
export function healthRoutes({ version, getChainStatuses }: HealthDeps): Route[] {
  return [
    {
      path: '/v1/status',
      access: 'open',
      operationId: 'getStatus',
      summary: 'How far each chain is',
      description:
        'Every configured chain with its head, what is indexed of it, its last error, and how far each family and each price feed is there. Never cached.',
      tag: 'service',
      parameters: [],
      response: statusSchema,
      responseExample: statusExample,
      problems: [],
      maxAge: 0,
      answer: async () => presentStatus(await getChainStatuses(), version),
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
