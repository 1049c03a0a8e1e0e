import { rememberScroll, scrollOf } from './scroll.ts';
import { createStore, useStore } from './store.ts';

/** The view shown. The URL is its only source. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Scroll position to restore, after going back. */
  readonly scroll: number | undefined;
}

const places = createStore(read(scrollOf(history.state)));
addEventListener('popstate', () => places.set(read(scrollOf(history.state))));

function read(scroll?: number): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search), scroll };
}

export function usePlace(): Place {
  return useStore(places);
}

export function go(href: string, { replace = false } = {}): void {
  rememberScroll();
  if (replace) history.replaceState(history.state, '', href);
  else history.pushState(null, '', href);
  places.set(read());
}

/** Changes query parameters; undefined removes one. Replaces the history entry, so that filters add no steps back. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = readable(query);
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Leaves commas and colons unescaped, so that shared links are readable. */
function readable(query: URLSearchParams): string {
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** A query parameter with fixed choices. Invalid values select the default, which is left out of the URL. */
export function useChoice<const T extends string>(
  name: string,
  choices: readonly T[],
  usual: T = choices[0]!,
): [T, (choice: T) => void] {
  const found = usePlace().query.get(name) as T | null;
  const value = found !== null && choices.includes(found) ? found : usual;
  return [value, (choice) => setQuery({ [name]: choice === usual ? undefined : choice })];
}

export function useText(name: string): [string, (text: string) => void] {
  const value = usePlace().query.get(name) ?? '';
  return [value, (text) => setQuery({ [name]: text })];
}

/** Follows links within the dashboard without reloading the page. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-own]');
  if (link === null || link.origin !== location.origin) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
