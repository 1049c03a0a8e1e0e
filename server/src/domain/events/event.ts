import type { EventType } from './eventTypes.ts';

export {
  EVENT_TYPES,
  type EventType,
  OPERATOR_EVENT_TYPES,
  STORED_EVENT_TYPES,
} from './eventTypes.ts';

/**
 * - `applied`: the row exists, and a reorg can still remove it.
 * - `retracted`: the row with this id is gone.
 * - `final`: the row exists, and its block is final. Add it if it is new to you.
 */
export const EVENT_STATES = ['applied', 'retracted', 'final'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** A position in the feed. Later events have later positions: positions are ordered by batch, block, log, and rank. */
export interface EventPosition {
  /** The commit, counted without gaps in the order in which commits became visible. */
  readonly batch: number;
  /** Tells the commit from another with the same number, which can exist after a failover that lost commits. */
  readonly tag: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Order among the events of one log. */
  readonly rank: number;
}

/** One change of a row that the API serves. */
export interface FeedEvent {
  readonly position: EventPosition;
  readonly type: EventType;
  readonly state: EventState;
  /** Of the row, the same in every event about it. */
  readonly id: string;
  /** Slug of the vault family; null for a chain, a node of the risk graph, and a payment. */
  readonly family: string | null;
  /** 0: of no chain. */
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly blockTimestamp: number;
  /** Wallet that the row is about, in lower case; null if there is none. */
  readonly user: string | null;
  /** Whether `delivery: 'final'` includes the event: a final row, or the retraction of one. */
  readonly isFinal: boolean;
  /** The row as the API serves it, ready for JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events that a reader wants. An absent field means all. */
export interface EventFilter {
  /** Absent: all public types. */
  readonly types?: readonly EventType[] | undefined;
  readonly family?: string | undefined;
  /** In lower case. */
  readonly user?: string | undefined;
  readonly chainId?: number | undefined;
  /** `final` leaves out rows that a reorg can still remove. Default: `applied`. */
  readonly delivery?: 'applied' | 'final' | undefined;
}

/** A page of the feed. */
export interface EventPage {
  /** In order. */
  readonly events: readonly FeedEvent[];
  /** Where to continue. It can be later than the last event when events in between don't match the filter. */
  readonly next: EventPosition;
}

/** Reads events in order, from a position on. */
export interface EventFeed {
  /**
   * Reads at most `limit` events after a position, or from the oldest stored event on if it is undefined. Throws
   * `EventsGone` if events after the position are not stored.
   */
  read(after: EventPosition | undefined, filter: EventFilter, limit: number): Promise<EventPage>;
  /** Returns the position before the oldest stored event. */
  oldest(): Promise<EventPosition>;
  /** Returns the position after the newest event. */
  head(): Promise<EventPosition>;
  /** Calls `listener` after each commit that adds events. Returns a function that stops it. */
  onCommit(listener: () => void): () => void;
}

/** Events after the position are no longer stored, or never were. */
export class EventsGone extends Error {}

/** Before every event. */
export const EVENTS_START: EventPosition = {
  batch: 0,
  tag: 0,
  blockNumber: 0,
  logIndex: 0,
  rank: 0,
};

/** Returns whether a reader wants an event. */
export function matchesFilter(event: FeedEvent, filter: EventFilter): boolean {
  if (filter.delivery === 'final' && !event.isFinal) return false;
  if (filter.types !== undefined && !filter.types.includes(event.type)) return false;
  if (filter.family !== undefined && filter.family !== event.family) return false;
  if (filter.user !== undefined && filter.user !== event.user) return false;
  return filter.chainId === undefined || filter.chainId === event.chainId;
}

/** Orders positions: negative when `a` is before `b`. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  return (
    a.batch - b.batch || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || a.rank - b.rank
  );
}
