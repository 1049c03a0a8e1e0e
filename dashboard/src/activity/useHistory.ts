import { type FeedEvent, getHistory, isAssayError, type Status } from '@assay/client';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../state/api.ts';
import { ChainsContext } from '../state/chains.ts';
import { markOffline, markOnline } from '../state/connection.ts';
import { feedOpen, onEvent } from '../state/feed.ts';
import { ofUser } from '../state/topics.ts';
import { type Read, renewed } from './historyPages.ts';

const NOTHING: Read = { items: [], incomplete: [], cursor: undefined, error: undefined };
const NO_NEWS: ReadonlySet<string> = new Set();
const EVERY_MS = 15_000;
/** The server reads the states of chains once a second. */
const STATES_MS = 2_000;

/** The transactions of a wallet, of a family, or of both. An empty text does not limit them. */
export interface HistoryFilter {
  readonly user: string;
  readonly family: string;
  readonly chain: string;
  readonly type: '' | 'deposit' | 'withdraw' | 'redeem' | 'cancel';
  readonly period: '' | '1d' | '7d' | '30d';
}

/** Reads a history page by page. New items are counted, and added when the user asks for them. */
export function useHistory(filter: HistoryFilter, pageSize: number) {
  const key = JSON.stringify(filter);
  // Stored with its key, so that the results of other filters are never shown under these.
  const [held, setHeld] = useState({ key, read: NOTHING });
  const read = held.key === key ? held.read : NOTHING;
  const [news, setNews] = useState<ReadonlySet<string>>(NO_NEWS);
  const [isLoading, setLoading] = useState(false);
  const asking = useRef<AbortController | undefined>(undefined);
  const newest = useRef(read);
  newest.current = read;
  const states = statesOf(useContext(ChainsContext));
  const knownStates = useRef(states);

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
        setNews(NO_NEWS);
        setRead((before) => renewed(before, page));
      } catch (error) {
        if (!signal.aborted) markOffline(error);
      }
    },
    [key],
  );

  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const timer = setInterval(() => {
      if (!document.hidden && !feedOpen.get()) void refresh(signal);
    }, EVERY_MS);
    const stop = onEvent((event) => {
      if (!passes(event, filter)) return;
      // What a reorg removed must not stay.
      if (event.state === 'retracted') void refresh(signal);
      else if (!newest.current.items.some(({ id }) => id === event.id)) {
        setNews((before) => new Set([...before, event.id]));
      }
    });
    document.addEventListener('visibilitychange', onVisible, { signal });
    return () => {
      gone.abort();
      clearInterval(timer);
      stop();
    };

    /** A hidden page receives no events. */
    function onVisible(): void {
      if (!document.hidden) void refresh(signal);
    }
  }, [refresh]);

  // A chain that goes down is listed as missing, and one that is back completes the list.
  useEffect(() => {
    const isFirst = knownStates.current === undefined;
    if (states === undefined || states === knownStates.current) return;
    knownStates.current = states;
    if (isFirst) return;
    const gone = new AbortController();
    const timer = setTimeout(() => void refresh(gone.signal), STATES_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [states, refresh]);

  useEffect(() => {
    newest.current = NOTHING;
    setNews(NO_NEWS);
    setRead(() => NOTHING);
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
    /** Number of items that are not shown yet. */
    news: news.size,
    show: () => void refresh(new AbortController().signal),
    more: read.error === undefined ? more : nothing,
    retry: more,
  };

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

/** Returns whether an event's item is listed under these filters. The newest item is in every period. */
function passes(event: FeedEvent, filter: HistoryFilter): boolean {
  const { family, chainId, data } = event;
  if (event.type !== 'history') return false;
  if (filter.user !== '' && !ofUser(filter.user)(event)) return false;
  if (filter.family !== '' && filter.family !== family) return false;
  if (filter.chain !== '' && Number(filter.chain) !== chainId) return false;
  return filter.type === '' || filter.type === data.type;
}

/** Returns how well each chain and family can be read; undefined while that is unknown. */
function statesOf(status: Status | null | undefined): string | undefined {
  return status?.chains
    .map(({ chainId, state, families }) => [chainId, state, ...families.map((one) => one.state)])
    .join();
}

function nothing(): void {}
