import { createStore, useStore } from './store.ts';

/** What is shown is in the address, and only there. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const places = createStore(read());
addEventListener('popstate', () => places.set(read()));

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function usePlace(): Place {
  return useStore(places);
}

export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  places.set(read());
}

/** Changes parts of the query; undefined takes one away. Steps back would else be many. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = readable(query);
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Commas and colons stay as they are: an address that people pass on should be readable. */
function readable(query: URLSearchParams): string {
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** One of a few words in the query; the first stands for all that cannot be understood, and is not written. */
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

/** Links within the dashboard load nothing anew. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-own]');
  if (link === null || link.origin !== location.origin) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
