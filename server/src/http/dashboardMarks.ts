import type { FamilyMarks } from '@assay/client';
import type { Config } from '../config/config.ts';
import { DAY, toIso } from '../domain/time.ts';
import { getRollbacks } from '../store/events/rollbacks.ts';
import { getFamilyGaps } from '../store/gaps/familyGaps.ts';
import type { Store } from '../store/store.ts';
import { createAnswerBytes } from './answerBytes.ts';
import { cachedByFamily } from './cachedFor.ts';
import type { FamilyPageData } from './dashboardFamily.ts';

const CACHED_SECONDS = 60;
const MAX_DAYS = 366;
const MAX_ROLLBACKS = 50;

/** What explains a family's charts: blocks that a reorg replaced, and ranges that no RPC endpoint could read. */
export function createDashboardMarks({
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
    const from = now() - MAX_DAYS * DAY;
    const [rollbacks, gaps] = await Promise.all([
      getRollbacks(store.reads, slug, { from, limit: MAX_ROLLBACKS }),
      getFamilyGaps(store.reads),
    ]);
    const marks: FamilyMarks = {
      reorgs: rollbacks.map(({ blockTime, ...rest }) => ({ at: toIso(blockTime), ...rest })),
      gaps: gaps
        .filter(({ family, toTime }) => family === slug && toTime >= from)
        .map(({ chainId, reason, fromBlock, toBlock, fromTime, toTime }) => ({
          from: toIso(fromTime),
          to: toIso(toTime),
          ...{ chainId, reason, fromBlock, toBlock },
        })),
    };
    const body = JSON.stringify(marks);
    return createAnswerBytes({ body, access: 'probe', maxAge: CACHED_SECONDS });
  });
}
