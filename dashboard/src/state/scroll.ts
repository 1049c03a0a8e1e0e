/** State of an entry in the browser's history. */
interface Entry {
  readonly scroll?: unknown;
}

/** How long a loading page may take to reach its former height. */
const RESTORE_MS = 4_000;
const MOVED_MS = 100;
const BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

let timer: ReturnType<typeof setTimeout> | undefined;
let isRestoring = false;

// The browser would restore the position before the page has its former height.
history.scrollRestoration = 'manual';
addEventListener('pagehide', rememberScroll);
addEventListener('popstate', () => clearTimeout(timer));
addEventListener(
  'scroll',
  () => {
    clearTimeout(timer);
    timer = setTimeout(rememberScroll, MOVED_MS);
  },
  { passive: true },
);

export function scrollOf(state: unknown): number | undefined {
  const { scroll } = (state ?? {}) as Entry;
  return typeof scroll === 'number' ? scroll : undefined;
}

/** Stores the scroll position in the current history entry. */
export function rememberScroll(): void {
  clearTimeout(timer);
  if (isRestoring || scrollOf(history.state) === scrollY) return;
  history.replaceState({ ...history.state, scroll: scrollY }, '');
}

/** Scrolls to a position, again whenever the page grows, until the user acts. Returns a function that stops it. */
export function restoreScroll(top: number): () => void {
  isRestoring = true;
  const watch = new ResizeObserver(look);
  const late = setTimeout(stop, RESTORE_MS);
  for (const name of BY_HAND) addEventListener(name, stop, { passive: true });
  watch.observe(document.body);
  look();
  return stop;

  function look(): void {
    scrollTo(0, top);
  }

  function stop(): void {
    isRestoring = false;
    watch.disconnect();
    clearTimeout(late);
    for (const name of BY_HAND) removeEventListener(name, stop);
  }
}
