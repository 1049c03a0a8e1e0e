import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findQuery, type Load, reload, watch } from './queries.ts';
import type { Topic } from './topics.ts';

/** The last data read, and the error of the latest attempt. */
export interface Live<T> {
  readonly data: T | undefined;
  /** The data belongs to an earlier key and must keep its labels. */
  readonly isPrevious: boolean;
  /** Error of the latest attempt; the data is then older. */
  readonly error: unknown;
  /** Nothing has been read for this key yet. */
  readonly loading: boolean;
  retry(): void;
}

/**
 * Reads now and every `everyMs`, except while the page is hidden. With a topic, and while the server reports events, it
 * reads after an event of that topic instead, and otherwise every few minutes. Components with the same key share one request.
 * After a key change, the previous data stays, marked as previous, until the new data arrives, so that nothing flickers.
 */
export function useLive<T>(
  key: string | undefined,
  load: Load<T>,
  everyMs: number,
  topic?: Topic,
): Live<T> {
  const [, setDrawn] = useState(0);
  const newest = useRef({ load, topic });
  newest.current = { load, topic };
  const shown = useRef<{ readonly key: string; readonly data: T } | undefined>(undefined);

  // Before the first paint, because a response can arrive during it.
  useLayoutEffect(() => {
    if (key === undefined) return;
    return watch(key, {
      load: (signal) => newest.current.load(signal),
      everyMs,
      topic: topic && ((event) => newest.current.topic?.(event) ?? false),
      onChange: () => setDrawn((count) => count + 1),
    });
  }, [key, everyMs]);

  if (key === undefined) {
    shown.current = undefined;
    return { data: undefined, isPrevious: false, error: undefined, loading: false, retry() {} };
  }
  const { data, error } = findQuery(key);
  if (data !== undefined) shown.current = { key, data: data as T };
  return {
    data: shown.current?.data,
    isPrevious: shown.current !== undefined && shown.current.key !== key,
    error,
    loading: data === undefined && error === undefined,
    retry: () => reload(key),
  };
}
