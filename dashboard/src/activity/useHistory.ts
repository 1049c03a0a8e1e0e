import type { Status } from '@assay/client';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { ChainsContext } from '../state/chains.ts';
import { feedOpen, onEvent } from '../state/feed.ts';
import { type HistoryFilter, passes } from './historyFilter.ts';
import { useHistoryPages } from './useHistoryPages.ts';

const NO_NEWS: ReadonlySet<string> = new Set();
const EVERY_MS = 15_000;
/** The server reads the states of chains once a second. */
const STATES_MS = 2_000;

/** Reads a history page by page. New items are counted, and added when the user asks for them. */
export function useHistory(filter: HistoryFilter, pageSize: number) {
  const [news, setNews] = useState<ReadonlySet<string>>(NO_NEWS);
  const pages = useHistoryPages(filter, pageSize, () => setNews(NO_NEWS));
  const { read, newest, isLoading, more, refresh } = pages;
  const states = statesOf(useContext(ChainsContext));
  const knownStates = useRef(states);

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
}

/** Returns how well each chain and family can be read; undefined while that is unknown. */
function statesOf(status: Status | null | undefined): string | undefined {
  return status?.chains
    .map(({ chainId, state, families }) => [chainId, state, ...families.map((one) => one.state)])
    .join();
}

function nothing(): void {}
