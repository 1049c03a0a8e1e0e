import { getHistory, isAssayError } from '@assay/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../state/api.ts';
import { heard, unheard } from '../state/connection.ts';
import type { HistoryFilter } from './historyFilters.tsx';
import { type Read, renewed } from './historyPages.ts';

const NOTHING: Read = { items: [], incomplete: [], cursor: undefined, error: undefined };
const PAGE = 50;
const EVERY_MS = 15_000;

/** The pages of a wallet's history that were asked for so far. */
export function useHistory(wallet: string, filter: HistoryFilter) {
  const key = JSON.stringify([wallet, filter]);
  const [read, setRead] = useState<Read>(NOTHING);
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
      heard();
      setRead({
        items: [...items, ...page.items],
        incomplete: page.incompleteChains,
        cursor: page.nextCursor,
        error: undefined,
      });
    } catch (error) {
      if (gone.signal.aborted || isAssayError(error, 'aborted')) return;
      unheard(error);
      setRead((before) => ({ ...before, error }));
    } finally {
      if (asking.current === gone) {
        asking.current = undefined;
        setLoading(false);
      }
    }
  }, [key]);

  /** What is new comes in front, and what a reorganisation took back goes. */
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      if (asking.current !== undefined || newest.current.cursor === undefined) return;
      try {
        const page = await load(signal, undefined);
        if (signal.aborted || asking.current !== undefined) return;
        heard();
        setRead((before) => renewed(before, page));
      } catch (error) {
        if (!signal.aborted) unheard(error);
      }
    },
    [key],
  );

  useEffect(() => {
    const gone = new AbortController();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh(gone.signal);
    }, EVERY_MS);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [refresh]);

  useEffect(() => {
    newest.current = NOTHING;
    setRead(NOTHING);
    void more();
    return () => {
      asking.current?.abort();
      asking.current = undefined;
    };
  }, [more]);

  return {
    items: read.items,
    incomplete: read.incomplete,
    error: read.error,
    isLast: read.cursor === null,
    isLoading,
    more: read.error === undefined ? more : nothing,
    retry: more,
  };

  function load(signal: AbortSignal, cursor: string | undefined) {
    const { family, type, chain, period } = filter;
    return getHistory(client, {
      user: wallet,
      limit: PAGE,
      amounts: 'bigint',
      signal,
      ...(family !== '' && { family }),
      ...(type !== '' && { type }),
      ...(chain !== '' && { chainId: Number(chain) }),
      ...(period !== '' && { period }),
      ...(cursor !== undefined && { cursor }),
    });
  }
}

function nothing(): void {}
