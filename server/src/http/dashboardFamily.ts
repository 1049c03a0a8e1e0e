import type { Config } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import type { AnswerBytes } from './answerBytes.ts';
import { createDashboardFlows } from './dashboardFlows.ts';
import { createDashboardHolders } from './dashboardHolders.ts';
import { createDashboardMarks } from './dashboardMarks.ts';

/** Data that only a family's page needs; undefined for an unknown family. */
export type FamilyPageData = (slug: string) => Promise<AnswerBytes> | undefined;

/** Each part under `/dashboard/{part}/{slug}`. */
export function createDashboardFamily(deps: {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  readonly now: () => number;
}): ReadonlyMap<string, FamilyPageData> {
  return new Map([
    ['flows', createDashboardFlows(deps)],
    ['holders', createDashboardHolders(deps)],
    ['marks', createDashboardMarks(deps)],
  ]);
}
