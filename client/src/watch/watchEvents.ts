import type { EventPage, FeedEvent, GetEventsParameters } from '../api/types.ts';
import type { CallOptions } from '../read/action.ts';
import { getEvents } from '../read/actions.ts';
import type { Client } from '../read/client.ts';
import { failure, isAssayError } from '../wire/errors.ts';
import { pause, waitBefore } from '../wire/retry.ts';

/** Event filters, and the cursor to continue from. Without `after`, the oldest stored event is the first. */
export type WatchEventsAsked = Omit<GetEventsParameters, 'wait'> & Omit<CallOptions, 'amounts'>;

export interface WatchEventsOptions {
  /** Seconds that the server holds a request until there is an event, at most 30. Default: `25`. */
  readonly waitSeconds?: number;
  /** Maximum wait between retries while the server is unreachable or busy, in milliseconds. Default: `30000`. */
  readonly maxRetryMs?: number;
  /** Called before each retry with the error that caused it. */
  readonly onRetry?: (error: unknown) => void;
}

/** Time for a response to arrive after the server has ended its wait. */
const RESPONSE_MS = 15_000;
/** An empty page that comes at once is from a server that does not wait. */
const EMPTY_PAGE_MS = 1_000;
const MAX_DOUBLINGS = 10;

/**
 * Yields the events of the feed in order, and waits for new ones: `applied`, `retracted`, and `final`. Store each
 * event's `cursor` together with its row, and pass it as `after` to continue. Abort the signal to stop. While the server is
 * unreachable or busy, requests are retried with growing waits, without a gap or a repetition. If the events that follow
 * are not stored anymore, it throws an error of type `cursor_gone`: start over with `readSnapshot`. Other errors are thrown.
 *
 * @example
 * const rows = new Map();
 * for await (const { type, id, state, data } of watchEvents(client, { types: 'history', limit: 100 })) {
 *   if (state === 'retracted') rows.delete(`${type} ${id}`);
 *   else rows.set(`${type} ${id}`, data);
 *   console.log(rows.size);
 *   if (rows.size === 3) break;
 * }
 */
export async function* watchEvents(
  client: Client,
  asked: WatchEventsAsked,
  options: WatchEventsOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  for await (const { events } of watchEventPages(client, asked, options)) yield* events;
}

/**
 * Yields pages of events as `watchEvents` does, each with the cursor to store. Apply a page and store its cursor in one
 * transaction. A page without events only moves the cursor.
 *
 * @example
 * for await (const { events, cursor } of watchEventPages(client, { types: 'share-price' })) {
 *   console.log(events.length, cursor);
 *   break;
 * }
 */
export async function* watchEventPages(
  client: Client,
  asked: WatchEventsAsked,
  options: WatchEventsOptions = {},
): AsyncGenerator<EventPage, void, undefined> {
  const { waitSeconds: wait = 25, maxRetryMs = 30_000, onRetry } = options;
  const { signal, timeoutMs = wait * 1_000 + RESPONSE_MS } = asked;
  let after = asked.after;
  for (let failures = 0; !signal?.aborted; ) {
    const sent = performance.now();
    try {
      const position = after === undefined ? {} : { after };
      const page = await getEvents(client, { ...asked, ...position, wait, timeoutMs });
      failures = 0;
      const isNew = page.events.length > 0 || page.cursor !== after;
      after = page.cursor;
      if (isNew) yield page;
      else if (performance.now() - sent < EMPTY_PAGE_MS) await pause(EMPTY_PAGE_MS, signal);
    } catch (error) {
      if (isAssayError(error, 'aborted') && signal?.aborted) return;
      if (isAssayError(error, 'problem') && error.status === 410) throw gone(error, after);
      if (!isPassing(error)) throw error;
      onRetry?.(error);
      const retryMs = waitBefore(error, Math.min(failures++, MAX_DOUBLINGS));
      await pause(Math.min(maxRetryMs, retryMs), signal).catch(() => {});
    }
  }
}

function gone(error: Error, cursor: string | undefined) {
  const message =
    'The events after this cursor are not stored. Delete your rows and start over with readSnapshot.';
  return failure('cursor_gone', message, { cursor }, error);
}

/** Whether a later request can succeed: a proxy responds with 502 or 504 while its server restarts. */
function isPassing(error: unknown): boolean {
  if (isAssayError(error, 'problem')) return error.status === 429 || error.status >= 500;
  return isAssayError(error, 'network') || isAssayError(error, 'timeout');
}
