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

/** What waits in a family's queue on a chain. */
export interface QueueBook {
  /** Of each wallet what stands before it, as of the last few seconds. */
  load(): Promise<(wallet: string) => PlaceInQueue>;
}

export interface QueueBookDeps {
  readonly db: Queryable;
  readonly family: FamilyConfig;
  readonly chainId: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

/** The queue as it stood at an instant that no reorganisation reaches. */
interface Settled {
  readonly fingerprint: string;
  readonly until: number;
  readonly open: readonly QueueStep[];
  readonly held: HeldLevels;
}

/** A queue is read from the store at most so often, however many ask for it. */
const KEPT_MS = 5_000;
/** What is younger is read again each time: blocks may yet be replaced. */
const UNSETTLED_SECONDS = DAY;

/** Years of a queue are gone through once; from then on only what has come since. */
export function createQueueBook({ db, family, chainId, clock }: QueueBookDeps): QueueBook {
  let settled: Settled | undefined;
  let kept: { readonly at: number; readonly places: ReturnType<QueueBook['load']> } | undefined;
  /** The last result, and the steps since `settled` that it rests on. */
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

  /** Goes on from where it stood, or from the beginning when the chain was since read anew. */
  async function settle({ from, until: indexed, fingerprint }: IndexedTimes): Promise<Settled> {
    const holds =
      settled !== undefined && settled.fingerprint === fingerprint && settled.until <= indexed;
    const before = holds ? settled! : { fingerprint, until: from - 1, open: [], held: new Map() };
    const until = indexed - UNSETTLED_SECONDS;
    // A day at a time.
    if (until <= before.until + (holds ? UNSETTLED_SECONDS : 0)) return before;
    const waits = foldFrom(before);
    const held = new Map(before.held);
    const span = { chainId, after: before.until, until };
    for await (const steps of readQueueSteps(db, family, span, held)) waits.add(steps);
    return { fingerprint, until, open: waits.open(), held };
  }

  return {
    load() {
      if (kept !== undefined && clock() - kept.at < KEPT_MS) return kept.places;
      const reading = { at: clock(), places: read() };
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
