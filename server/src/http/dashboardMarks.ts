import type { FamilyMarks } from '@assay/client';
import { DAY, toIso } from '../domain/time.ts';
import { getRollbacks } from '../store/events/rollbacks.ts';
import { getFamilyGaps } from '../store/gaps/familyGaps.ts';
import {
  createFamilyPageData,
  type FamilyPageData,
  type FamilyPageDeps,
} from './familyPageData.ts';

const CACHED_SECONDS = 60;
const MAX_DAYS = 366;
const MAX_ROLLBACKS = 50;

/** What explains a family's charts: blocks that a reorg replaced, and ranges that no RPC endpoint could read. */
export function createDashboardMarks(deps: FamilyPageDeps): FamilyPageData {
  const { store, now } = deps;
  return createFamilyPageData(deps, CACHED_SECONDS, async ({ slug }): Promise<FamilyMarks> => {
    const from = now() - MAX_DAYS * DAY;
    const [rollbacks, gaps] = await Promise.all([
      getRollbacks(store.reads, slug, { from, limit: MAX_ROLLBACKS }),
      getFamilyGaps(store.reads),
    ]);
    return {
      reorgs: rollbacks.map(({ blockTime, ...rest }) => ({ at: toIso(blockTime), ...rest })),
      gaps: gaps
        .filter(({ family, toTime }) => family === slug && toTime >= from)
        .map(({ chainId, reason, fromBlock, toBlock, fromTime, toTime }) => ({
          from: toIso(fromTime),
          to: toIso(toTime),
          ...{ chainId, reason, fromBlock, toBlock },
        })),
    };
  });
}
