import type { FamilyFlows } from '@assay/client';
import { bucketOf, DAY, toIso } from '../domain/time.ts';
import { getDayFlows, hasFlowsBefore } from '../store/history/flows.ts';
import {
  createFamilyPageData,
  type FamilyPageData,
  type FamilyPageDeps,
} from './familyPageData.ts';

/** Summing months of history takes longer than other responses of a page, so all clients share it. */
const CACHED_SECONDS = 60;
const MAX_DAYS = 366;

/** Deposits and payouts of a family by day. */
export function createDashboardFlows(deps: FamilyPageDeps): FamilyPageData {
  const { store, now } = deps;
  return createFamilyPageData(deps, CACHED_SECONDS, async ({ slug }): Promise<FamilyFlows> => {
    const from = bucketOf(now() - MAX_DAYS * DAY, DAY);
    const [days, isCut] = await Promise.all([
      getDayFlows(store.reads, slug, from),
      hasFlowsBefore(store.reads, slug, from),
    ]);
    return {
      at: toIso(now()),
      cutAt: isCut ? toIso(from) : null,
      days: days.map(({ day, deposited, withdrawn, ...counts }) => ({
        at: toIso(day),
        deposited: `${deposited}`,
        withdrawn: `${withdrawn}`,
        ...counts,
      })),
    };
  });
}
