import type { DashboardOverview as Overview, OverviewValueWithShares } from '@assay/client';
import type { Config } from '../config/config.ts';
import { bucketOf, DAY, toIso } from '../domain/time.ts';
import type { Store } from '../store/store.ts';
import { overview } from '../store/ticks/overview.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { cachedFor } from './cachedFor.ts';
import type { Route } from './route.ts';

/** The figures of all families for the dashboard's first page: by the routes, it would need several requests for each. */
export type DashboardOverview = () => Promise<AnswerBytes>;

export interface OverviewDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** The API's own routes, so that a figure is the same there. */
  readonly routes: readonly Route[];
  /** Unix seconds. */
  readonly now: () => number;
}

const CHART_DAYS = 31;
/** All clients share a response for so long. Measuring waits reads months of history, so it is done less often. */
const KEPT_SECONDS = 20;
const WAITS_KEPT_SECONDS = 600;

interface Waits {
  readonly paid: { readonly requests: number; readonly medianSeconds: number | null };
  readonly waiting: { readonly requests: number };
}

interface Snapshot {
  readonly stats: { readonly pools: readonly { readonly riskScore: number }[] };
}

export function createDashboardOverview(deps: OverviewDeps): DashboardOverview {
  const { config, store, now } = deps;
  const slugs = config.families.map(({ slug }) => slug);
  const getWaits = cachedFor(WAITS_KEPT_SECONDS, now, () => answersOf<Waits>('getExits'));
  return cachedFor(KEPT_SECONDS, now, async () => {
    const at = now();
    const times = [at - 7 * DAY, at - DAY, at];
    const [days, values, snapshots, waits] = await Promise.all([
      overview.getDays(store.reads, slugs, bucketOf(at - CHART_DAYS * DAY, DAY)),
      overview.getValuesAt(store.reads, slugs, times),
      answersOf<Snapshot>('getVault'),
      getWaits(),
    ]);
    const families = slugs.map((slug) => {
      const valueAt = (asked: number) => {
        const found = values.find((one) => one.slug === slug && one.askedAt === asked);
        return found === undefined ? null : presentValue(found);
      };
      const wait = waits.get(slug);
      return {
        slug,
        weekAgo: valueAt(times[0]!),
        dayAgo: valueAt(times[1]!),
        now: valueAt(times[2]!),
        days: days.filter((one) => one.slug === slug).map(presentValue),
        lowestScore: lowestScore(snapshots.get(slug)),
        exits: wait
          ? {
              requests: wait.paid.requests,
              medianSeconds: wait.paid.medianSeconds,
              waiting: wait.waiting.requests,
            }
          : null,
      };
    });
    const body = JSON.stringify({ at: toIso(at), families } satisfies Overview);
    return createAnswerBytes({ body, access: 'probe', maxAge: 1 });
  });

  /** One after the other, because requests of other clients come first. A family that cannot be read is left out. */
  async function answersOf<Answer>(operationId: string): Promise<ReadonlyMap<string, Answer>> {
    const route = deps.routes.find((one) => one.operationId === operationId);
    const found = new Map<string, Answer>();
    for (const slug of route === undefined ? [] : slugs) {
      const asked = { path: { slug }, query: new Map(), now: now() };
      const answer = await route!.answer(asked).catch(() => undefined);
      if (answer !== undefined) found.set(slug, answer as Answer);
    }
    return found;
  }
}

function presentValue(value: {
  readonly at: number;
  readonly tvl: bigint;
  readonly usd: number | null;
  readonly totalShares?: bigint | null;
}): OverviewValueWithShares {
  const { at, tvl, usd, totalShares } = value;
  return {
    at: toIso(at),
    tvl: `${tvl}`,
    usd,
    ...(totalShares !== undefined && { shares: totalShares === null ? null : `${totalShares}` }),
  };
}

/** A score of 0 is of a pool without one. */
function lowestScore(snapshot: Snapshot | undefined): number | null {
  const scores = (snapshot?.stats.pools ?? []).map(({ riskScore }) => riskScore);
  const known = scores.filter((score) => score > 0);
  return known.length === 0 ? null : Math.min(...known);
}
