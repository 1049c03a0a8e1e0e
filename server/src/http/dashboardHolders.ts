import type { FamilyHolders } from '@assay/client';
import { ratio } from '../domain/amount.ts';
import { DAY, toIso } from '../domain/time.ts';
import { getHoldersAt } from '../store/positions/holders.ts';
import {
  createFamilyPageData,
  type FamilyPageData,
  type FamilyPageDeps,
} from './familyPageData.ts';
import { findAsOf, isFound } from './vault/asOf.ts';

/** Each time needs a sum over all movements of a family, so they are few, and shared for long. */
const TIMES = 13;
const APART_DAYS = 7;
const CACHED_SECONDS = 1_800;
const LARGEST = 10;

/** How many wallets held a family's shares, and how much the largest had, at the ends of the last weeks. */
export function createDashboardHolders(deps: FamilyPageDeps): FamilyPageData {
  const { config, store, now } = deps;
  return createFamilyPageData(deps, CACHED_SECONDS, async (family): Promise<FamilyHolders> => {
    const at = now();
    const times = Array.from({ length: TIMES }, (_, i) => at - (TIMES - 1 - i) * APART_DAYS * DAY);
    const ticks: FamilyHolders['ticks'][number][] = [];
    // One after the other, because requests of other clients come first.
    for (const time of times) {
      const asOf = (await findAsOf(store.reads, config, [family], time)).get(family.slug)!;
      if (!isFound(asOf)) continue;
      const then = await getHoldersAt(store.reads, asOf.familyId, asOf.at, LARGEST);
      const part = (count: number) =>
        ratio(
          then.largest.slice(0, count).reduce((sum, { shares }) => sum + shares, 0n),
          then.shares,
        );
      ticks.push({
        at: toIso(asOf.at),
        holders: then.holders,
        largest: part(1),
        largestTen: part(LARGEST),
      });
    }
    return { at: toIso(at), ticks };
  });
}
