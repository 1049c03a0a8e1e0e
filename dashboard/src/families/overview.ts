import { TICKS_MS } from '../state/api.ts';
import { type Live, useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { anyFamily } from '../state/topics.ts';

/** What a family was worth at a time. */
export interface Value {
  readonly at: string;
  /** Base units of its asset. */
  readonly tvl: string;
  readonly usd: number | null;
}

export interface ValueNow extends Value {
  readonly shares: string | null;
}

/** The figures of one family that the first page compares. */
export interface FamilyOverview {
  readonly slug: string;
  readonly weekAgo: ValueNow | null;
  readonly dayAgo: ValueNow | null;
  readonly now: ValueNow | null;
  /** The last value of each day, oldest first. */
  readonly days: readonly Value[];
  readonly lowestScore: number | null;
  readonly exits: {
    readonly requests: number;
    readonly medianSeconds: number | null;
    readonly waiting: number;
  } | null;
}

export interface Overview {
  readonly at: string;
  readonly families: readonly FamilyOverview[];
}

/** Reads all families in one request. */
export function useOverview(): Live<Overview> {
  return useLive(
    'overview',
    (signal) => readOwnFile('/dashboard/families.json', signal),
    TICKS_MS,
    anyFamily,
  );
}
