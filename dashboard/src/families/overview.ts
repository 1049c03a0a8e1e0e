import type { DashboardOverview } from '@assay/client';
import { TICKS_MS } from '../state/api.ts';
import { type Live, useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { anyFamily } from '../state/topics.ts';

export type {
  FamilyOverview,
  OverviewValue as Value,
  OverviewValueWithShares as ValueNow,
} from '@assay/client';
export type Overview = DashboardOverview;

/** Reads all families in one request. */
export function useOverview(): Live<Overview> {
  return useLive(
    'overview',
    (signal) => readOwnFile('/dashboard/families.json', signal),
    TICKS_MS,
    anyFamily,
  );
}
