import { getHistory, type HistoryItem, type IncompleteChain, isAssayError } from '@assay/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../state/api.ts';
import { heard, unheard } from '../state/connection.ts';
import type { HistoryFilter } from './historyFilters.tsx';

interface Read {
  readonly items: readonly HistoryItem<bigint>[];
  readonly incomplete: readonly IncompleteChain[];
  /** Undefined before the first page, null after the last. */
  readonly cursor: string | null | undefined;
  readonly error: unknown;
}

const NOTHING: Read = { items: [], incomplete: [], cursor: undefined, error: undefined };
const PAGE = 50;

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
    const { family, type, chain, period } = filter;
    try {
      const page = await getHistory(client, {
        user: wallet,
        limit: PAGE,
        amounts: 'bigint',
        signal: gone.signal,
        ...(family !== '' && { family }),
        ...(type !== '' && { type }),
        ...(chain !== '' && { chainId: Number(chain) }),
        ...(period !== '' && { period }),
        ...(cursor !== undefined && { cursor }),
      });
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
}

function nothing(): void {}
