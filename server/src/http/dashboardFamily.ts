import { createDashboardFlows } from './dashboardFlows.ts';
import { createDashboardHolders } from './dashboardHolders.ts';
import { createDashboardMarks } from './dashboardMarks.ts';
import type { FamilyPageData, FamilyPageDeps } from './familyPageData.ts';

/** Each part under `/dashboard/{part}/{slug}`. */
export function createDashboardFamily(deps: FamilyPageDeps): ReadonlyMap<string, FamilyPageData> {
  return new Map([
    ['flows', createDashboardFlows(deps)],
    ['holders', createDashboardHolders(deps)],
    ['marks', createDashboardMarks(deps)],
  ]);
}
