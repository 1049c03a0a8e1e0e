import { isAssayError } from '@assay/client';
import { isSilence, markOffline, markOnline } from './connection.ts';
import { feedOpen, onEvent } from './feed.ts';
import { usualWait, waitAfterEvent } from './pace.ts';
import type { Topic } from './topics.ts';

export type Load<T = unknown> = (signal: AbortSignal) => Promise<T>;

/** A component that shows the data of a key. */
export interface Watcher {
  readonly load: Load;
  readonly everyMs: number;
  /** Events that change the data. Without one, the data is always read at its interval. */
  readonly topic: Topic | undefined;
  readonly onChange: () => void;
}

/** The data of one key, shared by all components that show it. */
interface Query {
  /** Undefined until loaded. */
  data: unknown;
  /** Error of the latest attempt. */
  error: unknown;
  readonly watchers: Set<Watcher>;
  /** Aborts the requests in progress. */
  gone: AbortController;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Retry interval while the server is offline. */
const SILENT_MS = 3_000;
/** Cache size, so that a page opened again shows its last data until new data arrives. */
const MAX_KEPT = 60;
const NOTHING = { data: undefined, error: undefined } as const;
const queries = new Map<string, Query>();

export function findQuery(key: string): Pick<Query, 'data' | 'error'> {
  return queries.get(key) ?? NOTHING;
}

/** Reads while there are watchers: the first one starts the reads, the last one to leave stops them. */
export function watch(key: string, watcher: Watcher): () => void {
  const query = obtain(key);
  query.watchers.add(watcher);
  if (query.watchers.size === 1) start(query);
  return () => {
    query.watchers.delete(watcher);
    if (query.watchers.size === 0) stop(query);
  };
}

/** Reads immediately instead of at the next interval. */
export function reload(key: string): void {
  const query = obtain(key);
  if (query.watchers.size === 0) return;
  stop(query);
  start(query);
}

/** Stores initial data for a key. */
export function keep(key: string, data: unknown): void {
  change(obtain(key), { data, error: undefined });
}

function obtain(key: string): Query {
  const found = queries.get(key);
  const query = found ?? {
    ...NOTHING,
    watchers: new Set(),
    gone: new AbortController(),
    timer: undefined,
  };
  // The newest comes last, so that the oldest without watchers is dropped first.
  queries.delete(key);
  queries.set(key, query);
  for (const [oldest, { watchers }] of queries) {
    if (queries.size <= MAX_KEPT) break;
    if (watchers.size === 0 && oldest !== key) queries.delete(oldest);
  }
  return query;
}

function start(query: Query): void {
  query.gone = new AbortController();
  const { signal } = query.gone;
  query.error = undefined;
  let isAsking = false;
  let readAt = 0;
  let isStale = false;
  let isSoon = false;
  document.addEventListener('visibilitychange', onVisible, { signal });
  const stops = [
    onEvent((event) => {
      if ([...query.watchers].some(({ topic }) => topic?.(event))) onChanged();
    }),
    feedOpen.subscribe(() => {
      // Without the feed, changes are no longer reported.
      const { everyMs, topic } = newestOf(query);
      if (feedOpen.get() || topic === undefined || isSoon || isAsking) return;
      askIn(everyMs);
    }),
  ];
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop();
  });
  void ask();

  async function ask(): Promise<void> {
    isAsking = true;
    isStale = false;
    isSoon = false;
    query.timer = undefined;
    const { load, everyMs, topic } = newestOf(query);
    let isOffline = false;
    try {
      const data = await load(signal);
      if (signal.aborted) return;
      markOnline();
      change(query, { data, error: undefined });
    } catch (error) {
      if (signal.aborted || isAssayError(error, 'aborted')) return;
      markOffline(error);
      change(query, { data: query.data, error });
      isOffline = isSilence(error);
    }
    isAsking = false;
    readAt = performance.now();
    if (isOffline) askIn(SILENT_MS);
    else if (isStale) onChanged();
    else askIn(usualWait(everyMs, topic !== undefined && feedOpen.get()));
  }

  /** The data shown is out of date. */
  function onChanged(): void {
    if (isAsking) isStale = true;
    // Many events cause one read.
    if (isAsking || isSoon) return;
    isSoon = true;
    const { everyMs } = newestOf(query);
    askIn(waitAfterEvent(everyMs, performance.now() - readAt, Math.random()));
  }

  function askIn(ms: number): void {
    clearTimeout(query.timer);
    query.timer = document.hidden ? undefined : setTimeout(ask, ms);
  }

  function onVisible(): void {
    if (!document.hidden && query.timer === undefined && !isAsking) void ask();
    if (document.hidden) {
      clearTimeout(query.timer);
      query.timer = undefined;
    }
  }
}

/** The component that was mounted last decides how the data is read. */
function newestOf({ watchers }: Query): Watcher {
  return [...watchers].at(-1)!;
}

function stop(query: Query): void {
  query.gone.abort();
  clearTimeout(query.timer);
  query.timer = undefined;
}

function change(query: Query, next: Pick<Query, 'data' | 'error'>): void {
  Object.assign(query, next);
  for (const { onChange } of query.watchers) onChange();
}
