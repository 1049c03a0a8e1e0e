import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  comparePositions,
  type EventFeed,
  type EventFilter,
  type EventPosition,
  EventsGone,
  type FeedEvent,
  matchesFilter,
} from '../../domain/events/event.ts';
import type { Hex } from '../../domain/hex.ts';
import type { OnError } from '../httpServer.ts';
import { CURSOR_GONE } from '../problem.ts';
import { sealPosition } from './eventCursor.ts';
import { presentEvent } from './eventSchema.ts';
import type { RecentEvent, RecentEvents } from './recentEvents.ts';

export interface EventStreamDeps {
  readonly feed: EventFeed;
  /** Seals cursors; see loadCursorKey. */
  readonly cursorKey: Hex;
  readonly onError: OnError;
  /** Returns the next events from memory; undefined if they have to be read. */
  readonly after: RecentEvents['after'];
}

export interface Opening {
  readonly position: EventPosition;
  readonly filter: EventFilter;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
}

/** The server-sent events of one client. */
export interface EventStream {
  /** Sends what is new. */
  push(): void;
  beat(): void;
  end(): void;
}

const PAGE = 500;
/** A stream with more unsent bytes waits for its client. The server cuts clients that read nothing for 30 seconds. */
const MAX_UNSENT_BYTES = 128 * 1024;
/** Of a page that is read for one stream. */
const MAX_PAGE_BYTES = 1024 * 1024;
const RETRY_MS = 2_000;

/** Begins a stream that waits for a push. */
export function createEventStream(
  { feed, cursorKey, onError, after }: EventStreamDeps,
  { position, filter, response }: Opening,
): EventStream {
  /** Events up to here were sent or don't match the filter. */
  let done = position;
  /** The last cursor that the client has. */
  let known = position;
  let isBusy = false;
  let isStale = false;
  let isWaiting = false;
  response.write(`retry: ${RETRY_MS}\n${cursorOnly()}`);
  return { push, beat, end: () => void response.end() };

  function push(): void {
    isStale = true;
    if (isBusy) return;
    sendAll().catch(fail);
  }

  async function sendAll(): Promise<void> {
    isBusy = true;
    try {
      while (isStale && response.writable) {
        if (response.writableLength > MAX_UNSENT_BYTES) return waitForClient();
        isStale = false;
        if (await sendSome()) isStale = true;
      }
    } finally {
      isBusy = false;
    }
  }

  /** Once, however many commits come meanwhile. */
  function waitForClient(): void {
    if (isWaiting) return;
    isWaiting = true;
    response.once('drain', () => {
      isWaiting = false;
      push();
    });
  }

  /** Returns whether more can be sent at once. */
  async function sendSome(): Promise<boolean> {
    const page = after(done);
    if (page === undefined) {
      const { events, next } = await feed.read(done, filter, PAGE);
      // More than the client has room for: to read the rest again costs more than to store it, unless it is very long.
      const read = events.map((event) => ({ event, text: textOf(event, cursorKey) }));
      const some = read.slice(0, countFitting(read, MAX_PAGE_BYTES));
      write(some);
      if (some.length < read.length) return true;
      done = next;
      return events.length === PAGE;
    }
    const wanted = page.events.filter(({ event }) => matchesFilter(event, filter));
    const fitting = countFitting(wanted, MAX_UNSENT_BYTES);
    write(wanted.slice(0, fitting));
    if (fitting < wanted.length) return true;
    done = page.end;
    return false;
  }

  /** How many of the events can be sent before the client is too far behind. */
  function countFitting(events: readonly RecentEvent[], maxBytes: number): number {
    let unsent = response.writableLength;
    let count = 0;
    while (count < events.length && unsent <= maxBytes) {
      unsent += Buffer.byteLength(events[count++]!.text);
    }
    return count;
  }

  /** All in one piece, because each piece costs as much as its events. */
  function write(events: readonly RecentEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    response.write(events.map(({ text }) => text).join(''));
    done = last.event.position;
    known = done;
  }

  function beat(): void {
    if (response.writableLength > MAX_UNSENT_BYTES) return;
    response.write(comparePositions(done, known) > 0 ? cursorOnly() : ':\n\n');
  }

  /** An id without data: the client continues from it, and no event is dispatched. */
  function cursorOnly(): string {
    known = done;
    return `id: ${sealPosition(cursorKey, done)}\n\n`;
  }

  function fail(error: unknown): void {
    if (!(error instanceof EventsGone)) onError(error);
    else response.write(`event: gone\ndata: ${JSON.stringify({ detail: CURSOR_GONE })}\n\n`);
    response.end();
  }
}

export function textOf(event: FeedEvent, cursorKey: Hex): string {
  const cursor = sealPosition(cursorKey, event.position);
  const data = JSON.stringify(presentEvent(event, cursor));
  return `id: ${cursor}\nevent: ${event.type}\ndata: ${data}\n\n`;
}
