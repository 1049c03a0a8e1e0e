import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { DAY, toIso } from '../../domain/time.ts';
import { createWaits, waitPercentile } from '../../domain/vault/waits.ts';
import type { Store } from '../../store/store.ts';
import { NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { SLUG } from '../routeParameters.ts';
import { Amount, DateTime, Nullable, Shape } from '../schemas.ts';
import { readQueueSteps } from './queueSteps.ts';

const WINDOW_DAYS = 90;
/** Requests that waited longer than this when the window began are not seen. */
const BEFORE_DAYS = 180;

const seconds = (what: string) =>
  Nullable(
    Type.Integer({ minimum: 0, description: `${what} In seconds.`, examples: [86_400] }),
    `${what} In seconds; null when no request was paid.`,
  );
const whole = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] });

const exitsSchema = Shape(
  {
    from: DateTime('Start of the time that was measured.'),
    to: DateTime('Its end.'),
    paid: Shape(
      {
        requests: whole('Requests of which something was paid or became claimable.'),
        shares: Amount('Shares of them that were paid or became claimable.'),
        medianSeconds: seconds('Half of these shares waited no longer than this.'),
        p90Seconds: seconds('Nine tenths of these shares waited no longer than this.'),
      },
      'What was paid, or became claimable, in that time, after it had waited.',
    ),
    waiting: Shape(
      {
        requests: whole('Requests that still wait.'),
        shares: Amount('Shares that still wait.'),
        oldest: Nullable(
          DateTime('When the oldest of them was made.'),
          'When the oldest of them was made; null when none waits.',
        ),
      },
      'What waits now.',
    ),
  },
  'How long redemptions took.',
);

const example = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-04-01T00:00:00.000Z',
  paid: { requests: 41, shares: '1250000000', medianSeconds: 5400, p90Seconds: 86_400 },
  waiting: { requests: 2, shares: '40000000', oldest: '2026-03-31T20:00:00.000Z' },
};

/** GET /v1/vaults/{slug}/exits */
export function exitsRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  return {
    path: '/v1/vaults/{slug}/exits',
    access: 'open',
    operationId: 'getExits',
    summary: 'How long redemptions took',
    description: `Beyond the interface: what requests to redeem waited until they were paid or could be claimed, over the last ${WINDOW_DAYS} days, from the indexed history. Requests of a receiver on a chain are paid first in, first out, and count by their shares; a cancel takes back the newest. An exit that is paid at once is none of them. Of an ERC-7540 vault the wait ends when the vault settles the request, whenever it is claimed. Requests from more than ${WINDOW_DAYS + BEFORE_DAYS} days ago are not seen.`,
    tag: 'vaults',
    parameters: [SLUG],
    response: exitsSchema,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 60,
    families: ({ path }) => [path.slug!],
    async answer({ path, now }) {
      const slug = path.slug!;
      const family = config.families.find((one) => one.slug === slug);
      if (family === undefined) throw new NotFound(`there is no vault family ${slug}`);
      const from = now - WINDOW_DAYS * DAY;
      const waits = createWaits(from);
      for (const { chainId } of family.chains) {
        const span = { chainId, after: from - BEFORE_DAYS * DAY, until: now };
        for await (const steps of readQueueSteps(store.reads, family, span, new Map()))
          waits.add(steps);
      }
      const { paid, requests, waiting } = waits.measure();
      return {
        from: toIso(from),
        to: toIso(now),
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
      };
    },
  };
}

function sharesOf(parts: readonly { readonly shares: bigint }[]): string {
  return parts.reduce((sum, { shares }) => sum + shares, 0n).toString();
}
