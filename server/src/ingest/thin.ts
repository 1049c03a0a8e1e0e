import { type Retention, thinnedBefore } from '../domain/series/retention.ts';
import { bucketOf, DAY, HOUR } from '../domain/time.ts';
import { type FamilyRow, families } from '../store/families/families.ts';
import { gaps } from '../store/gaps/gaps.ts';
import { type SourceRow, sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { rollups } from '../store/ticks/rollups.ts';
import { thinning } from '../store/ticks/thinning.ts';

/** The facts about a family that thinning needs. */
export interface FamilyToThin {
  readonly familyId: number;
  /** The chains it is configured on. */
  readonly chainIds: readonly number[];
  /** Feeders that are shown with the pools of this family. */
  readonly shownWith: readonly number[];
}

/** A day to thin, or days without ticks to skip. */
interface Due {
  readonly span: typeof HOUR | typeof DAY;
  readonly from: number;
  /** Days before this one are thinned. */
  readonly before: number;
}

/** The number of deleted rows; null if nothing is due. */
export type Thinned = { readonly rows: number } | null;

/**
 * Thins one day of a family, with the family's lock, as a commit does. The progress is in the family's row, and is
 * reset when ticks of thinned days are recomputed.
 */
export async function thinNext(
  tx: Queryable,
  family: FamilyToThin,
  retention: Retention,
): Promise<Thinned> {
  const { familyId } = family;
  const [row] = await families.lock(tx, [familyId]);
  const own = await sources.getOfFamily(tx, familyId, null);
  const due = row && findDue(row, own, family, retention);
  if (!due) return null;
  const next = await thinning.findNext(tx, familyId, due.from);
  const from = next === null ? due.before : bucketOf(next, DAY);
  if (from >= due.before) {
    await advance(tx, familyId, due, due.before);
    return { rows: 0 };
  }
  const day = { familyId, span: due.span, from, to: from + DAY };
  const rows = (await gaps.touches(tx, familyId, day.from, day.to))
    ? 0
    : await thinDay(tx, day, family, own);
  await advance(tx, familyId, due, day.to);
  return { rows };
}

/** Whether the row of a family shows that it has days to thin. */
export function isDue(
  row: FamilyRow,
  own: readonly SourceRow[],
  family: FamilyToThin,
  retention: Retention,
): boolean {
  return findDue(row, own, family, retention) !== undefined;
}

function findDue(
  { hourlyUntil, dailyUntil, tickUntil }: FamilyRow,
  own: readonly SourceRow[],
  { chainIds }: FamilyToThin,
  retention: Retention,
): Due | undefined {
  // A chain that lags or is unreachable still has to add its states at ticks that were made without it.
  const times = chainIds.map(
    (chainId) => own.find((source) => source.chainId === chainId)?.indexedTime ?? 0,
  );
  const { hourly, daily } = thinnedBefore(retention, Math.min(tickUntil, ...times));
  if (dailyUntil < daily) return { span: DAY, from: dailyUntil, before: daily };
  const from = Math.max(hourlyUntil, dailyUntil);
  return from < hourly ? { span: HOUR, from, before: hourly } : undefined;
}

async function thinDay(
  tx: Queryable,
  day: {
    readonly familyId: number;
    readonly span: number;
    readonly from: number;
    readonly to: number;
  },
  { shownWith }: FamilyToThin,
  own: readonly SourceRow[],
): Promise<number> {
  const chainIds = [...new Set(own.map(({ chainId }) => chainId))];
  const gone = await thinning.thin(tx, day, { chainIds, shownWith });
  // Only roll-ups of hours that lost ticks are recomputed.
  if (gone.ticks > 0) await rollups.refresh(tx, day.familyId, day.from, day.to - 1);
  return gone.ticks + gone.states;
}

async function advance(
  tx: Queryable,
  familyId: number,
  { span }: Due,
  until: number,
): Promise<void> {
  if (span === DAY) await thinning.setDailyUntil(tx, familyId, until);
  else await thinning.setHourlyUntil(tx, familyId, until);
}
