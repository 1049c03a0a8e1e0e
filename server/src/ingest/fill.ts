import { EVENT_TYPE } from '../domain/events/eventTypes.ts';
import { DAY } from '../domain/time.ts';
import { alerts } from '../store/alerts/alerts.ts';
import { tickBlocks } from '../store/blocks/tickBlocks.ts';
import { events } from '../store/events/events.ts';
import { eventPages, type StoredEvent } from '../store/events/readEvents.ts';
import { families } from '../store/families/families.ts';
import { removeBlockRange } from '../store/gaps/blockRange.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { HISTORY_TYPE } from '../store/history/history.ts';
import { removeRepeatedPools } from '../store/pools/foundPools.ts';
import { knownUntil } from '../store/sources/knownUntil.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { insertRows, tickBlocksOf } from './commit.ts';
import { refoldPositions } from './fold/foldPositions.ts';
import { type FamilyToFold, foldTicks } from './fold/foldTicks.ts';
import type { FamilyRows, Step } from './read/step.ts';

/** Tables that a fill replaces. Price ends are of feeds, and stay. */
const REPLACED: readonly number[] = [
  EVENT_TYPE.history,
  EVENT_TYPE['share-price'],
  EVENT_TYPE.pool,
  EVENT_TYPE.governance,
];
/** A gap that ended earlier than this before the newest tick is history: its alerts are not evaluated. */
const RECENT = 7 * DAY;
/** Yields of a tick use the ticks of this period before it, so those after a gap change too. */
const LOOKED_BACK = 31 * DAY;

export interface Fill {
  readonly gap: Gap;
  readonly step: Step;
  readonly rows: FamilyRows;
  readonly family: FamilyToFold;
}

/** Replaces the rows of part of a gap, which was read again in full, and recomputes what depends on them. */
export async function commitFill(tx: Queryable, fill: Fill): Promise<void> {
  const { gap, step, rows, family } = fill;
  const { familyId, chainId } = gap;
  const [row] = await families.lock(tx, [familyId]);
  const stretch = {
    fromBlock: step.fromBlock,
    toBlock: step.to.number,
    fromTime: step.fromTime,
    toTime: step.to.time,
  };
  const before = await eventPages.getStored(tx, familyId, chainId, stretch);
  const isChanged = keysOf(before) !== keysOfRows(rows);
  if (isChanged) await events.retractRange(tx, familyId, chainId, stretch);
  const removed = await removeBlockRange(tx, familyId, chainId, stretch);
  await Promise.all(insertRows(tx, chainId, rows));
  await tickBlocks.insert(tx, chainId, tickBlocksOf([rows]));
  await removeRepeatedPools(tx, familyId, chainId, step.to.number);
  const moved = new Set([...removed, ...rows.movements.map(({ wallet }) => wallet)]);
  await refoldPositions(tx, familyId, [...moved], row!.positionUntil);
  const own = await sources.getOfFamily(tx, familyId, family.feed);
  const after = step.fromTime - 1;
  const until = Math.min(knownUntil(own), row!.tickUntil, step.to.time + LOOKED_BACK);
  const { assetDecimals } = row!;
  if (until > after && assetDecimals !== null) {
    await foldTicks(tx, { ...family, assetDecimals }, own, after, until);
    // Later ticks are unchanged.
    await families.setTickUntil(tx, familyId, row!.tickUntil);
  }
  // A gap of the first backfill is history.
  const isRecent = step.to.time > row!.tickUntil - RECENT;
  if (isRecent && !gap.initial) await alerts.reopen(tx, [familyId], step.fromTime);
  await gaps.fill(tx, gap, step.to);
  await families.notify(tx, [familyId]);
  if (!isChanged) {
    await events.touch(tx, familyId, chainId, stretch.fromTime);
    return;
  }
  const final = await events.findFinal(tx, chainId);
  await events.add(tx, { chainId, families: [familyId], ...stretch }, final ?? -1);
}

/** Returns what the events of stored rows report. */
function keysOf(stored: readonly StoredEvent[]): string {
  return stored
    .filter(({ type }) => REPLACED.includes(type))
    .map(({ type, blockNumber, logIndex, kind, wallet, assets, shares, detail }) =>
      [
        type,
        blockNumber,
        logIndex,
        kind,
        wallet,
        assets,
        shares,
        detail && JSON.parse(detail).epoch,
      ].join(),
    )
    .sort()
    .join('\n');
}

/** The same for rows to be stored. */
function keysOfRows({ history, sharePrices, pools, governance }: FamilyRows): string {
  return [
    ...history.map(({ place, type, wallet, assets, shares }) =>
      [
        0,
        place.blockNumber,
        place.logIndex,
        HISTORY_TYPE[type],
        wallet,
        assets,
        shares,
        null,
      ].join(),
    ),
    ...sharePrices.map(({ place, price }) =>
      [1, place.blockNumber, place.logIndex, null, null, price, null, null].join(),
    ),
    ...pools.map(({ place, pool }) =>
      [2, place.blockNumber, place.logIndex, null, null, null, null, pool.epoch].join(),
    ),
    ...governance.map(({ place }) =>
      [
        EVENT_TYPE.governance,
        place.blockNumber,
        place.logIndex,
        null,
        null,
        null,
        null,
        null,
      ].join(),
    ),
  ]
    .sort()
    .join('\n');
}
