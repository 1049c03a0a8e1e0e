import type { Decimal } from '../../domain/amount.ts';
import type { PricePoint } from '../../domain/series/apy.ts';
import { familyTick, type Tick } from '../../domain/series/tick.ts';
import { DAY } from '../../domain/time.ts';
import { events } from '../../store/events/events.ts';
import { families } from '../../store/families/families.ts';
import { history } from '../../store/history/history.ts';
import { prices } from '../../store/prices/prices.ts';
import type { SourceRow } from '../../store/sources/sources.ts';
import type { Queryable } from '../../store/store.ts';
import { type ChainTickRow, chainTicks } from '../../store/ticks/chainTicks.ts';
import { rollups } from '../../store/ticks/rollups.ts';
import { ticks } from '../../store/ticks/ticks.ts';

/** The facts about a family that a fold needs. */
export interface FamilyToFold {
  readonly familyId: number;
  readonly slug: string;
  /** Name of the price feed of its base asset. */
  readonly feed: string | null;
  readonly maxPriceAge: number;
  /** Its first settlement chain. */
  readonly priceChainId: number;
  /** The chains that it is configured on. Removed chains no longer count. */
  readonly chainIds: readonly number[];
  /** Whether each of its ticks is an event. */
  readonly announcesTicks?: boolean;
}

/**
 * Computes the family's ticks in (after, until] from the states of its chains. A tick needs a state of every readable
 * chain at its instant. An unreachable chain counts with its last known state, and the tick is recomputed once that
 * chain has passed it.
 */
export async function foldTicks(
  tx: Queryable,
  family: FamilyToFold & { readonly assetDecimals: number },
  sourceRows: readonly SourceRow[],
  after: number,
  until: number,
): Promise<Tick[]> {
  const { familyId, feed, maxPriceAge: maxAge, assetDecimals } = family;
  const configured = sourceRows.filter(({ chainId }) => family.chainIds.includes(chainId));
  const [chains, usdPriceAt] = await Promise.all([
    loadChains(tx, familyId, configured, after, until),
    loadUsdPrices(tx, family, after, until),
    feed && history.value(tx, familyId, { feed, after, until, maxAge, assetDecimals }),
  ]);
  const instants = [...new Set(chains.flatMap((chain) => chain.rows.map((row) => row.at)))].sort(
    (a, b) => a - b,
  );
  const sharePrices = await loadSharePrices(tx, familyId, instants, after);
  const made: Tick[] = [];
  for (const at of instants) {
    const held = chains.map((chain) => chain.stateAt(at));
    if (held.includes('missing')) continue;
    const states = held.filter((state) => state !== 'absent' && state !== 'missing');
    if (states.length === 0) continue;
    const tick = familyTick({
      at,
      chains: states,
      priceChainId: family.priceChainId,
      assetDecimals,
      usdPrice: usdPriceAt(at),
      priceAt: sharePrices.at,
    });
    if (tick.ratio !== null) sharePrices.add({ at, ...tick.ratio });
    made.push(tick);
  }
  // Ticks that are recomputed.
  if (family.announcesTicks) await events.retractTicks(tx, familyId, after + 1, until);
  const changed = made.map(({ at }) => at);
  const [gone] = await Promise.all([
    // Remove a tick that was made without a chain that is readable again and has no state there.
    ticks.removeBetween(tx, familyId, after, until, changed),
    ticks.upsert(tx, familyId, made),
    families.setTickUntil(tx, familyId, until, after + 1),
  ]);
  changed.push(...gone);
  if (changed.length > 0) {
    await rollups.refresh(tx, familyId, Math.min(...changed), Math.max(...changed));
  }
  if (family.announcesTicks && made.length > 0)
    await events.addTicks(tx, familyId, after + 1, until);
  return made;
}

/** `missing`: a readable chain has no state there. `absent`: the chain does not count at this instant. */
type Held = ChainTickRow | 'missing' | 'absent';

async function loadChains(
  tx: Queryable,
  familyId: number,
  sourceRows: readonly SourceRow[],
  after: number,
  until: number,
) {
  const own = sourceRows.filter((row) => row.familyId === familyId);
  return Promise.all(
    own.map(async ({ chainId, readable, startTime }) => {
      const rows = await chainTicks.getBetween(tx, familyId, chainId, after, until);
      const before = readable
        ? undefined
        : await chainTicks.findLastAt(tx, familyId, chainId, after);
      const exact = new Map(rows.map((row) => [row.at, row]));
      const stateAt = (at: number): Held => {
        const row = exact.get(at);
        if (row !== undefined) return row;
        if (readable) return startTime !== null && startTime <= at ? 'missing' : 'absent';
        return rows.findLast((known) => known.at <= at) ?? before ?? 'absent';
      };
      return { rows, stateAt };
    }),
  );
}

/** Returns the price in force at an instant: the newest at or before it, unless it ended or is too old. */
async function loadUsdPrices(tx: Queryable, family: FamilyToFold, after: number, until: number) {
  if (family.feed === null) return () => null;
  const known = await prices.getBetween(tx, family.feed, after - family.maxPriceAge, until);
  let next = 0;
  let held: (typeof known)[number] | undefined;
  return (at: number): Decimal | null => {
    for (; next < known.length && known[next]!.at <= at; next++) held = known[next]!;
    if (held === undefined || at - held.updatedAt > family.maxPriceAge) return null;
    return held.value === null ? null : { value: held.value, decimals: held.decimals };
  };
}

/** Returns the share prices at and before the instants: those stored up to `after`, and those added since. */
async function loadSharePrices(
  tx: Queryable,
  familyId: number,
  instants: readonly number[],
  after: number,
) {
  const targets = new Set([after]);
  for (const at of instants) {
    for (const days of [1, 7, 30]) if (at - days * DAY < after) targets.add(at - days * DAY);
  }
  // Most steps have no instant.
  const isAsked = instants.length > 0;
  const [stored, firstStored] = await Promise.all([
    isAsked ? ticks.getPricesAt(tx, familyId, [...targets]) : new Map<number, PricePoint>(),
    isAsked ? ticks.findFirstPrice(tx, familyId) : undefined,
  ]);
  let first = firstStored !== undefined && firstStored.at <= after ? firstStored : undefined;
  const added: PricePoint[] = [];
  return {
    add(point: PricePoint) {
      first ??= point;
      added.push(point);
    },
    at(instant: number): PricePoint | undefined {
      if (instant < after) return stored.get(instant) ?? first;
      return lastAtOrBefore(added, instant) ?? stored.get(after) ?? first;
    },
  };
}

function lastAtOrBefore(points: readonly PricePoint[], instant: number): PricePoint | undefined {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.at <= instant) low = middle + 1;
    else high = middle;
  }
  return points[low - 1];
}
