import { getHistory, isAssayError } from '@assay/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../state/api.ts';
import { markOffline, markOnline } from '../state/connection.ts';
import type { HistoryFilter } from './historyFilter.ts';
import { type Read, renewed } from './historyPages.ts';

const NOTHING: Read = { items: [], incomplete: [], cursor: undefined, error: undefined };

/** Reads a history page by page, from its newest item. `onRenewed` is called when everything new is shown. */
export function useHistoryPages(filter: HistoryFilter, pageSize: number, onRenewed: () => void) {
  const key = JSON.stringify(filter);
  // Stored with its key, so that the results of other filters are never shown under these.
  const [held, setHeld] = useState({ key, read: NOTHING });
  const read = held.key === key ? held.read : NOTHING;
  const [isLoading, setLoading] = useState(false);
  const asking = useRef<AbortController | undefined>(undefined);
  const newest = useRef(read);
  newest.current = read;

  const more = useCallback(async () => {
    const { cursor, items } = newest.current;
    if (asking.current !== undefined || cursor === null) return;
    const gone = new AbortController();
    asking.current = gone;
    setLoading(true);
    try {
      const page = await load(gone.signal, cursor);
      if (gone.signal.aborted) return;
      markOnline();
      setRead(() => ({
        items: [...items, ...page.items],
        incomplete: page.incompleteChains,
        cursor: page.nextCursor,
        error: undefined,
      }));
    } catch (error) {
      if (gone.signal.aborted || isAssayError(error, 'aborted')) return;
      markOffline(error);
      setRead((before) => ({ ...before, error }));
    } finally {
      if (asking.current === gone) {
        asking.current = undefined;
        setLoading(false);
      }
    }
  }, [key]);

  /** Adds new items at the front and removes items that a reorg dropped. */
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      if (asking.current !== undefined || newest.current.cursor === undefined) return;
      try {
        const page = await load(signal, undefined);
        if (signal.aborted || asking.current !== undefined) return;
        markOnline();
        onRenewed();
        setRead((before) => renewed(before, page));
      } catch (error) {
        if (!signal.aborted) markOffline(error);
      }
    },
    [key],
  );

  useEffect(() => {
    newest.current = NOTHING;
    onRenewed();
    setRead(() => NOTHING);
    void more();
    return () => {
      asking.current?.abort();
      asking.current = undefined;
    };
  }, [more]);

  return { read, newest, isLoading, more, refresh };

  function setRead(change: (before: Read) => Read): void {
    setHeld((before) => ({ key, read: change(before.key === key ? before.read : NOTHING) }));
  }

  function load(signal: AbortSignal, cursor: string | undefined) {
    const { user, family, type, chain, period } = filter;
    return getHistory(client, {
      limit: pageSize,
      amounts: 'bigint',
      signal,
      ...(user !== '' && { user }),
      ...(family !== '' && { family }),
      ...(type !== '' && { type }),
      ...(chain !== '' && { chainId: Number(chain) }),
      ...(period !== '' && { period }),
      ...(cursor !== undefined && { cursor }),
    });
  }
}
