import {
  comparePositions,
  type EventFeed,
  type EventPage,
  type EventPosition,
  EventsGone,
  type FeedEvent,
} from '../../domain/events/event.ts';

/** The newest events in memory, so that many streams near the end of the feed read the database once. */
export interface RecentEvents {
  /** Returns the events after a position, and where they end; undefined if some of them are not in memory. */
  after(position: EventPosition): RecentPage | undefined;
  stop(): void;
}

export interface RecentEvent {
  readonly event: FeedEvent;
  readonly text: string;
}

interface RecentPage {
  readonly events: readonly RecentEvent[];
  readonly end: EventPosition;
}

export interface RecentEventsDeps {
  readonly feed: EventFeed;
  readonly textOf: (event: FeedEvent) => string;
  /** Called after each commit, once its events are in memory. */
  readonly onNew: () => void;
  readonly onError: (error: unknown) => void;
}

const MAX_EVENTS = 5_000;
/** Of their texts: an event can contain long text from a chain. */
export const MAX_CHARACTERS = 16 * 1024 * 1024;
const PAGE = 500;

/** Starts at the end of the feed. */
export function followRecentEvents(deps: RecentEventsDeps): RecentEvents {
  const { feed, textOf, onNew, onError } = deps;
  let events: RecentEvent[] = [];
  let characters = 0;
  /** `events` has every event of the feed in this range. */
  let range: { readonly start: EventPosition; readonly end: EventPosition } | undefined;
  let isStopped = false;
  let isReading = false;
  let isStale = false;
  const stopListening = feed.onCommit(refresh);
  refresh();
  return {
    after,
    stop() {
      isStopped = true;
      stopListening();
    },
  };

  function after(position: EventPosition): RecentPage | undefined {
    if (range === undefined || comparePositions(position, range.start) < 0) return undefined;
    let first = events.length;
    while (first > 0 && comparePositions(events[first - 1]!.event.position, position) > 0) first--;
    const end = comparePositions(position, range.end) > 0 ? position : range.end;
    return { events: events.slice(first), end };
  }

  function refresh(): void {
    isStale = true;
    if (!isReading) readNew().catch(onError);
  }

  async function readNew(): Promise<void> {
    isReading = true;
    try {
      while (isStale && !isStopped) {
        isStale = false;
        await readToEnd();
        onNew();
      }
    } finally {
      isReading = false;
    }
  }

  async function readToEnd(): Promise<void> {
    if (range === undefined) {
      const head = await feed.head();
      range = { start: head, end: head };
    }
    for (;;) {
      const page: EventPage | undefined = await readAfter(range.end);
      if (page === undefined) {
        // Streams read the feed themselves and get the same error.
        events = [];
        characters = 0;
        range = undefined;
        return;
      }
      const added = page.events.map((event) => ({ event, text: textOf(event) }));
      events = [...events, ...added];
      for (const { text } of added) characters += text.length;
      let dropped = 0;
      while (events.length - dropped > MAX_EVENTS || characters > MAX_CHARACTERS) {
        characters -= events[dropped++]!.text.length;
      }
      const start: EventPosition = dropped > 0 ? events[dropped - 1]!.event.position : range.start;
      if (dropped > 0) events = events.slice(dropped);
      range = { start, end: page.next };
      if (page.events.length < PAGE) return;
    }
  }

  async function readAfter(position: EventPosition): Promise<EventPage | undefined> {
    try {
      return await feed.read(position, {}, PAGE);
    } catch (error) {
      if (error instanceof EventsGone) return undefined;
      throw error;
    }
  }
}
