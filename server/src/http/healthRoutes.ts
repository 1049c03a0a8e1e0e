import { presentDatabase } from './databaseStatus.ts';
import { pageParameters } from './familyPages.ts';
import { ChainsUnready, NotReady } from './problem.ts';
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
import { presentStorage } from './storage.ts';

export type HealthDeps = Pick<
  ServerDeps,
  | 'version'
  | 'getChainStatuses'
  | 'database'
  | 'readyMark'
  | 'cursorKey'
  | 'http'
  | 'storage'
  | 'isDraining'
>;

/** A file may have thousands of families: an operator needs only the first few. */
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
      summary: 'Get the status of chains, families, and feeds',
      description:
        'Returns the state of the database and of every configured chain: its head, its indexed block, its last error, and the progress of each family and price feed. Every page has all chains and feeds. A page has up to 500 families, in the order of the chains and then of the configuration. If more follow, the `Link` header has the URL of the next page. Never cached.',
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
      summary: 'Check liveness',
      description:
        'Returns 200 while the process responds. Does not check the database or the chains.',
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
      summary: 'Check readiness',
      description:
        'Returns 200 once requests can be served. On a new store, returns 503 until the initial backfill of every chain is complete, or until one family is complete on all its chains. A gap in the initial backfill also keeps it at 503 until the gap is filled or the configuration accepts it (acceptGaps). `missing` lists the data that is not served yet. A store that was ready once stays ready. Also returns 503 while the server starts, while the database is unavailable (unless free routes are served from a replica), and during shutdown, while requests are still served (`http.drainSeconds`). `database` reports a replica in use and a database that rejects writes.',
      tag: 'service',
      parameters: [],
      response: readySchema,
      responseExample: readyExample,
      problems: [503],
      maxAge: 0,
      async answer() {
        if (deps.isDraining?.()) throw new NotReady('not ready: the server is shutting down');
        const statuses = await getChainStatuses();
        const chains = statuses.map(({ chainId, name, state, backfilled }) => {
          return { chainId, name, state, backfilled };
        });
        const { ready, missing } = readinessOf(statuses);
        if (!(await readyMark?.isSet())) {
          if (!ready) throw new ChainsUnready(`not ready: ${textOf(missing)}`, chains);
          await readyMark?.set();
        }
        const { database, storage } = deps;
        return {
          ...{ status: 'ready', chains, missing },
          ...{ database: presentDatabase(database), storage: presentStorage(storage) },
        };
      },
    },
  ];
}

function textOf(missing: readonly MissingData[]): string {
  const named = missing.slice(0, NAMED).map(({ reason }) => reason);
  const rest = missing.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more; see /v1/status`] : [])].join('; ');
}
