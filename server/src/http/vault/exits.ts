import { Type } from 'typebox';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { DAY, toIso } from '../../domain/time.ts';
import { createWaits, type Waits, waitPercentile } from '../../domain/vault/waits.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { Amount, DateTime, Nullable, Shape } from '../schemas.ts';
import { createStateReader } from './history.ts';
import { incompleteChainsField } from './historySchema.ts';
import { createScopes } from './historyScope.ts';
import { readQueueSteps } from './queueSteps.ts';
import { readPeriod, type TimeRange } from './timeRange.ts';

/** The usual period. */
export const WINDOW_DAYS = 90;
/** Limits the rows of one request: every step of the period is read. */
const MAX_DAYS = 366;
/** Requests that were older than this when the window started are ignored. */
const BEFORE_DAYS = 180;

const seconds = (what: string) =>
  Nullable(
    Type.Integer({ minimum: 0, description: `${what} In seconds.`, examples: [86_400] }),
    `${what} In seconds; null if no request was paid.`,
  );
const whole = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] });

const exitsSchema = Shape(
  {
    from: DateTime('Start of the measured period.'),
    to: DateTime('End of the measured period.'),
    paid: Shape(
      {
        requests: whole('Requests that were paid or became claimable, at least in part.'),
        shares: Amount('Their shares that were paid or became claimable.'),
        medianSeconds: seconds('Median wait of these shares.'),
        p90Seconds: seconds('90th percentile of the wait of these shares.'),
      },
      'Requests that were paid or became claimable in the period.',
    ),
    waiting: Shape(
      {
        requests: whole('Pending requests.'),
        shares: Amount('Pending shares.'),
        oldest: Nullable(
          DateTime('When the oldest of them was made.'),
          'When the oldest of them was made; null if there are none.',
        ),
      },
      'The queue at the end of the period.',
    ),
    incompleteChains: incompleteChainsField,
  },
  'Redemption wait times.',
);

const example = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-04-01T00:00:00.000Z',
  paid: { requests: 41, shares: '1250000000', medianSeconds: 5400, p90Seconds: 86_400 },
  waiting: { requests: 2, shares: '40000000', oldest: '2026-03-31T20:00:00.000Z' },
  incompleteChains: [],
};

/** GET /v1/vaults/{slug}/exits */
export function exitsRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  const getStates = createStateReader(deps);
  const scopes = createScopes(config);
  return {
    path: '/v1/vaults/{slug}/exits',
    access: 'open',
    operationId: 'getExits',
    summary: 'Get redemption wait times',
    description: `Returns how long redemption requests waited until they were paid or became claimable in a period, by default the last ${WINDOW_DAYS} days, from the indexed history. Requests of a receiver on a chain are matched first in, first out, and weighted by shares; a cancellation removes the newest. Instant redemptions are not included. In an ERC-7540 vault, the wait ends when the vault settles the request, not when it is claimed. Requests from more than ${BEFORE_DAYS} days before the period are ignored.`,
    tag: 'vaults',
    parameters: [
      SLUG,
      optional(
        'from',
        Type.String(),
        `Start of the period, inclusive, in the format of the time series. At most ${MAX_DAYS} days before its end. Default: ${WINDOW_DAYS} days before its end.`,
        '2026-01-01',
      ),
      optional(
        'to',
        Type.String(),
        'End of the period, inclusive, in the format of the time series. Default, and at most: now.',
        '2026-03-31',
      ),
    ],
    response: exitsSchema,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 60,
    families: ({ path }) => [path.slug!],
    async answer(request) {
      const slug = request.path.slug!;
      const { from, to } = readParameters(
        (parameters) => readPeriod(parameters, request, { days: WINDOW_DAYS, maxDays: MAX_DAYS }),
        request,
      );
      const family = config.families.find((one) => one.slug === slug);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      const chainIds = family.chains.map(({ chainId }) => chainId);
      const states = await getStates(request.now);
      const { paid, requests, waiting } = await measureExits(store.reads, family, chainIds, {
        from,
        to,
      });
      return {
        from: toIso(from),
        to: toIso(to),
        paid: {
          requests,
          shares: sharesOf(paid),
          medianSeconds: waitPercentile(paid, 50),
          p90Seconds: waitPercentile(paid, 90),
        },
        waiting: {
          requests: waiting.length,
          shares: sharesOf(waiting),
          oldest: waiting[0] === undefined ? null : toIso(waiting[0].since),
        },
        incompleteChains: scopes(states, [family], undefined).incompleteChains,
      };
    },
  };
}

/** Measures the queue on these chains in a period; its first second belongs to it. */
export async function measureExits(
  db: Queryable,
  family: FamilyConfig,
  chainIds: readonly number[],
  { from, to }: TimeRange,
): Promise<Waits> {
  const waits = createWaits(from - 1);
  for (const chainId of chainIds) {
    const span = { chainId, after: from - BEFORE_DAYS * DAY, until: to };
    for await (const steps of readQueueSteps(db, family, span, new Map())) waits.add(steps);
  }
  return waits.measure();
}

export function sharesOf(parts: readonly { readonly shares: bigint }[]): string {
  return parts.reduce((sum, { shares }) => sum + shares, 0n).toString();
}
