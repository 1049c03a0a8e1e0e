import type { FamilyFlows } from '@assay/client';
import type { Config } from '../config/config.ts';
import { bucketOf, DAY, toIso } from '../domain/time.ts';
import { getDayFlows, hasFlowsBefore } from '../store/history/flows.ts';
import type { Store } from '../store/store.ts';
import { createAnswerBytes } from './answerBytes.ts';
import { cachedByFamily } from './cachedFor.ts';
import type { FamilyPageData } from './dashboardFamily.ts';

/** Summing months of history takes longer than other responses of a page, so all clients share it. */
const CACHED_SECONDS = 60;
const MAX_DAYS = 366;

/** Deposits and payouts of a family by day. */
export function createDashboardFlows({
  config,
  store,
  now,
}: {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  readonly now: () => number;
}): FamilyPageData {
  const slugs = config.families.map(({ slug }) => slug);
  return cachedByFamily(slugs, { seconds: CACHED_SECONDS, now }, async (slug) => {
    const from = bucketOf(now() - MAX_DAYS * DAY, DAY);
    const [days, isCut] = await Promise.all([
      getDayFlows(store.reads, slug, from),
      hasFlowsBefore(store.reads, slug, from),
    ]);
    const flows: FamilyFlows = {
      at: toIso(now()),
      cutAt: isCut ? toIso(from) : null,
      days: days.map(({ day, deposited, withdrawn, ...counts }) => ({
        at: toIso(day),
        deposited: `${deposited}`,
        withdrawn: `${withdrawn}`,
        ...counts,
      })),
    };
    const body = JSON.stringify(flows);
    return createAnswerBytes({ body, access: 'probe', maxAge: CACHED_SECONDS });
  });
}
