import type { Route } from '../route.ts';

/** An invoice names its resource in a header: above 8 KB common clients fail. */
export const MOST_RESOURCE_LENGTH = 4_096;

/**
 * The one spelling of a request that is paid for: path and query, encoded alike however they came. Order and unknown
 * parameters stay: they are part of what was asked.
 */
export function canonicalResource(
  route: Pick<Route, 'path'>,
  url: string,
  pathValues: Readonly<Record<string, string>>,
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encode(pathValues[name] ?? ''),
  );
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start + 1);
  if (query === '') return path;
  const parts = query.split('&').map((part) => {
    const equals = part.indexOf('=');
    if (equals === -1) return recode(part);
    return `${recode(part.slice(0, equals))}=${recode(part.slice(equals + 1))}`;
  });
  return `${path}?${parts.join('&')}`;
}

function recode(text: string): string {
  try {
    return encode(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    // Not UTF-8: it is refused when its parameter is read, and until then only has to be the same each time.
    return text.replaceAll(/[^A-Za-z0-9%._~-]/g, encodeURIComponent);
  }
}

/** A colon is plain in ids, and allowed in paths and queries. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
