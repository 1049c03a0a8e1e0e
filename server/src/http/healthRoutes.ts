import { pageParameters } from './familyPages.ts';
import { ChainsUnready } from './problem.ts';
import { type MissingData, readinessOf } from './readiness.ts';
import type { Route } from './route.ts';
import type { ServerDeps } from './serverDeps.ts';
import { createStatusPages, STATUS_PATH } from './statusPages.ts';
import {
  liveSchema,
  readyExample,
  readySchema,
  statusExample,
  statusSchema,
} from './statusSchema.ts';

export type HealthDeps = Pick<
  ServerDeps,
  'version' | 'getChainStatuses' | 'readyMark' | 'cursorKey' | 'http'
>;

/** A file may have thousands of families: an operator needs the first few. */
const NAMED = 5;

/** The state of the chains, liveness and readiness. */
export function healthRoutes(deps: HealthDeps): Route[] {
  const { getChainStatuses, readyMark } = deps;
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
        '503 on a new store until the initial backfill of every chain is complete, or until one family is complete on all its chains; a gap in the initial backfill also keeps it at 503 until the gap is filled or the configuration accepts it (acceptGaps). `missing` lists what is not served yet. A store that was ready once stays ready. 503 also while the database is unavailable.',
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
        const { ready, missing } = readinessOf(statuses);
        if (!(await readyMark?.isSet())) {
          if (!ready) throw new ChainsUnready(`not ready: ${textOf(missing)}`, chains);
          await readyMark?.set();
        }
        return { status: 'ready', chains, missing };
      },
    },
  ];
}

function textOf(missing: readonly MissingData[]): string {
  const named = missing.slice(0, NAMED).map(({ reason }) => reason);
  const rest = missing.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more; see /v1/status`] : [])].join('; ');
}
