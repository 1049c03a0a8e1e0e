import { type AlertResult, alerts } from '../../store/alerts/alerts.ts';
import { watchedSeries } from '../../store/alerts/watchedSeries.ts';
import type { Queryable } from '../../store/store.ts';
import { type ClockReadings, evaluateClock } from './evaluateFamily.ts';
import { chainsOf, type FamilyToWatch } from './watchedRules.ts';

/** The families whose alerts about a chain are measured by the clock. */
export function clockedFamilies(
  watched: readonly FamilyToWatch[],
  chainId: number,
): readonly FamilyToWatch[] {
  return watched.filter((family) =>
    family.rules.some((rule) => chainsOf(rule, family).includes(chainId)),
  );
}

/** Evaluates the clock's alerts about a chain. Call it under the lock on the families' rows. */
export async function evaluateClocks(
  tx: Queryable,
  chainId: number,
  clocked: readonly FamilyToWatch[],
  { since, now, readChainIds }: ClockTimes,
): Promise<AlertResult[]> {
  const ids = clocked.map(({ familyId }) => familyId);
  const rows = await watchedSeries.getFamilies(tx, ids, readChainIds);
  // A chain that lags is behind and not live: only the backfill is left out.
  const started = new Set(rows.flatMap((row) => (row.newestTick === null ? [] : row.familyId)));
  const feeds = [...new Set(clocked.flatMap(({ family }) => family.priceFeed ?? []))];
  const nodeIds = clocked.map(({ nodeId }) => nodeId);
  const readings: ClockReadings = {
    states: await watchedSeries.getClock(tx, ids, since),
    feedTimes: await watchedSeries.getFeedTimes(tx, feeds, since),
    grades: await watchedSeries.getGrades(tx, nodeIds),
    now,
  };
  const known = await alerts.getOfFamilies(tx, ids);
  return clocked.flatMap((family) => {
    const { familyId } = family;
    const held = known.filter((one) => one.familyId === familyId);
    return started.has(familyId) ? evaluateClock(family, chainId, held, readings) : [];
  });
}

export interface ClockTimes {
  /** When this indexer started, or 0 if that was long ago. */
  readonly since: number;
  /** Unix seconds. */
  readonly now: number;
  /** Every chain with an RPC URL. */
  readonly readChainIds: readonly number[];
}
