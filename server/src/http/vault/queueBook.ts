import type { FamilyConfig } from '../../config/config.ts';
import { DAY } from '../../domain/time.ts';
import type { HeldLevels } from '../../domain/vault/queueLevels.ts';
import {
  createPlaces,
  createWaits,
  type PlaceInQueue,
  type QueueStep,
  type WaitsFold,
} from '../../domain/vault/waits.ts';
import { findIndexedTimes, type IndexedTimes } from '../../store/sources/indexedTimes.ts';
import type { Queryable } from '../../store/store.ts';
import { readQueueSteps } from './queueSteps.ts';

/** The pending requests of a family's queue on a chain. */
export interface QueueBook {
  /** Returns what is queued before each wallet, as of the last few seconds. */
  load(): Promise<(wallet: string) => PlaceInQueue>;
}

export interface QueueBookDeps {
  readonly db: Queryable;
  readonly family: FamilyConfig;
  readonly chainId: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Whether the database is unavailable: data read then may be stale and is not cached. */
  readonly isOut?: () => boolean;
}

/** The queue at a time that no reorg can change. */
interface Settled {
  readonly fingerprint: string;
  readonly until: number;
  readonly open: readonly QueueStep[];
  readonly held: HeldLevels;
}

/** Minimum time between reads of a queue from the store. */
const KEPT_MS = 5_000;
/** Newer data is re-read each time: blocks may still be replaced. */
const UNSETTLED_SECONDS = DAY;

/** Years of a queue are processed once; from then on only what is new. */
export function createQueueBook(deps: QueueBookDeps): QueueBook {
  const { db, family, chainId, clock, isOut = () => false } = deps;
  let settled: Settled | undefined;
  let kept:
    | {
        readonly at: number;
        readonly out: boolean;
        readonly places: ReturnType<QueueBook['load']>;
      }
    | undefined;
  /** The last result, and the steps since `settled` that it is based on. */
  let last: { readonly on: Settled; readonly news: string; readonly placeOf: Places } | undefined;

  type Places = (wallet: string) => PlaceInQueue;

  async function read(): Promise<Places> {
    const times = await findIndexedTimes(db, family.slug, chainId);
    if (times === undefined) return createPlaces([]);
    settled = await settle(times);
    const news: QueueStep[] = [];
    const span = { chainId, after: settled.until, until: times.until };
    const held = new Map(settled.held);
    for await (const steps of readQueueSteps(db, family, span, held))
      for (const step of steps) news.push(step);
    const text = news.map(spell).join();
    if (last === undefined || last.on !== settled || last.news !== text) {
      const waits = foldFrom(settled);
      waits.add(news);
      last = { on: settled, news: text, placeOf: createPlaces(waits.measure().waiting) };
    }
    return last.placeOf;
  }

  /** Continues from its last state, or from the start if the chain was re-read since. */
  async function settle({ from, until: indexed, fingerprint }: IndexedTimes): Promise<Settled> {
    const holds =
      settled !== undefined && settled.fingerprint === fingerprint && settled.until <= indexed;
    const before = holds ? settled! : { fingerprint, until: from - 1, open: [], held: new Map() };
    const until = indexed - UNSETTLED_SECONDS;
    // One day at a time.
    if (until <= before.until + (holds ? UNSETTLED_SECONDS : 0)) return before;
    const waits = foldFrom(before);
    const held = new Map(before.held);
    const span = { chainId, after: before.until, until };
    for await (const steps of readQueueSteps(db, family, span, held)) waits.add(steps);
    return { fingerprint, until, open: waits.open(), held };
  }

  return {
    load() {
      const now = { at: clock(), out: isOut() };
      if (kept?.out === now.out && now.at - kept.at < KEPT_MS) return kept.places;
      const reading = { ...now, places: read() };
      kept = reading;
      reading.places.catch(() => {
        if (kept === reading) kept = undefined;
      });
      return reading.places;
    },
  };
}

function foldFrom({ open }: Settled): WaitsFold {
  const waits = createWaits(Number.POSITIVE_INFINITY);
  waits.add(open);
  return waits;
}

function spell({ at, type, wallet, shares, assets }: QueueStep): string {
  return `${at} ${type} ${wallet} ${shares} ${assets}`;
}
