import { isAssayError } from '@assay/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { heard, isSilence, unheard } from './connection.ts';

/** What was last read, and what went wrong since. */
export interface Live<T> {
  readonly data: T | undefined;
  /** Of the newest attempt; the data are then older than it. */
  readonly error: unknown;
  readonly loading: boolean;
  retry(): void;
}

interface Seen {
  readonly key: string;
  readonly data: unknown;
  readonly error: unknown;
}

/** How soon a server that was away is asked again. */
const SILENT_MS = 3_000;
/** Pages that were left show what they had when they are opened again, until the news are there. */
const MOST_KEPT = 60;
const kept = new Map<string, unknown>();

/**
 * Reads now and every `everyMs`, but not while the page is hidden. With another key, what is there stays until the
 * new data have come: no flicker.
 */
export function useLive<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
): Live<T> {
  const [seen, setSeen] = useState<Seen | undefined>(undefined);
  const [turn, setTurn] = useState(0);
  const loading = useRef(load);
  loading.current = load;

  // Each turn asks again. Before the first paint: an answer may come while that is made.
  useLayoutEffect(() => {
    if (key === undefined) return;
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (kept.has(key)) setSeen({ key, data: kept.get(key), error: undefined });
    void ask();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };

    async function ask(): Promise<void> {
      timer = undefined;
      let wait = everyMs;
      try {
        const data = await loading.current(gone.signal);
        if (gone.signal.aborted) return;
        heard();
        keep(key!, data);
        setSeen({ key: key!, data, error: undefined });
      } catch (error) {
        if (gone.signal.aborted || isAssayError(error, 'aborted')) return;
        unheard(error);
        setSeen((before) => ({ key: key!, data: before?.data, error }));
        if (isSilence(error)) wait = SILENT_MS;
      }
      if (!document.hidden) timer = setTimeout(ask, wait);
    }

    function onVisible(): void {
      if (!document.hidden && timer === undefined) void ask();
      if (document.hidden) {
        clearTimeout(timer);
        timer = undefined;
      }
    }
  }, [key, everyMs, turn]);

  const isCurrent = seen?.key === key;
  return {
    data: seen?.data as T | undefined,
    error: isCurrent ? seen?.error : undefined,
    loading: key !== undefined && !isCurrent,
    retry: () => setTurn((count) => count + 1),
  };
}

/** What is read under a key from now on begins with this. */
export function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}
