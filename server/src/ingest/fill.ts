import { DAY } from '../domain/time.ts';
import { families } from '../store/families/families.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { removeStretch } from '../store/gaps/stretch.ts';
import { removeRepeatedPools } from '../store/pools/foundPools.ts';
import { knownUntil } from '../store/sources/knownUntil.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { insertRows } from './commit.ts';
import { refoldPositions } from './fold/foldPositions.ts';
import { type FamilyToFold, foldTicks } from './fold/foldTicks.ts';
import type { FamilyRows, Step } from './read/step.ts';

/** A tick looks back this far for its yields: those after a gap change with it. */
const LOOKED_BACK = 31 * DAY;

export interface Fill {
  readonly gap: Gap;
  readonly step: Step;
  readonly rows: FamilyRows;
  readonly family: FamilyToFold;
}

/** Puts a part of a gap, read again in full, in the place of what was read before, and folds what stands on it. */
export async function commitFill(tx: Queryable, fill: Fill): Promise<void> {
  const { gap, step, rows, family } = fill;
  const { familyId, chainId } = gap;
  const [row] = await families.lock(tx, [familyId]);
  const removed = await removeStretch(tx, familyId, chainId, {
    fromBlock: step.fromBlock,
    toBlock: step.to.number,
    fromTime: step.fromTime,
    toTime: step.to.time,
  });
  await Promise.all(insertRows(tx, chainId, rows));
  await removeRepeatedPools(tx, familyId, chainId, step.to.number);
  const moved = new Set([...removed, ...rows.movements.map(({ wallet }) => wallet)]);
  await refoldPositions(tx, familyId, [...moved], row!.positionUntil);
  const own = await sources.getOfFamily(tx, familyId, family.feed);
  const after = step.fromTime - 1;
  const until = Math.min(knownUntil(own), row!.tickUntil, step.to.time + LOOKED_BACK);
  const { assetDecimals } = row!;
  if (until > after && assetDecimals !== null) {
    await foldTicks(tx, { ...family, assetDecimals }, own, after, until);
    // Ticks beyond are as they were.
    await families.setTickUntil(tx, familyId, row!.tickUntil);
  }
  await gaps.fill(tx, gap, step.to);
  await families.notify(tx, [familyId]);
}
