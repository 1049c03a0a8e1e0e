import type { FeedEvent } from '@assay/client';
import { createStore } from './store.ts';

/** Whether the event feed is connected. Without it, data is read at its usual intervals. */
export const feedOpen = createStore(false);

type Listener = (event: FeedEvent) => void;

const TYPES = [
  'history',
  'share-price',
  'pool',
  'tick',
  'price-outage',
  'state',
  'grade',
  'governance',
  'alert',
] as const satisfies readonly FeedEvent['type'][];
/** The browser reconnects by itself unless the server rejects the stream. */
const REJECTED_MS = 15_000;
const listeners = new Set<Listener>();

/** Calls the listener for each row that was added or removed. An event that a block is final changes nothing here. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows the server's events with one connection. A hidden page has none, because a browser opens only six to a server.
 * A page that becomes visible again reads its data anyway, so it needs no events of the time between.
 */
export function followFeed(url: string): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
  };

  function look(): void {
    if (document.hidden) close();
    else if (source === undefined) open();
  }

  function open(): void {
    clearTimeout(timer);
    source = new EventSource(url);
    source.onopen = () => feedOpen.set(true);
    source.onerror = () => {
      feedOpen.set(false);
      if (source?.readyState === EventSource.CLOSED) openLater();
    };
    // The events that follow are not stored anymore: continue with new ones.
    source.addEventListener('gone', openLater);
    for (const type of TYPES) source.addEventListener(type, hear);
  }

  function openLater(): void {
    close();
    timer = setTimeout(look, REJECTED_MS);
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    feedOpen.set(false);
  }
}

function hear({ data }: MessageEvent<string>): void {
  const event = JSON.parse(data) as FeedEvent;
  if (event.state === 'final') return;
  for (const listener of listeners) listener(event);
}
