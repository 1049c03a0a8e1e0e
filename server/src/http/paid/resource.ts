import type { Route } from '../route.ts';

/** An invoice contains its resource in a header, and stock proxies accept 4 KB of headers in total. */
export const MAX_RESOURCE_LENGTH = 1_500;

/**
 * Returns the canonical form of a paid request: path and query, encoded uniformly. Order and unknown parameters stay:
 * they are part of the request.
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
    // Not UTF-8: it is rejected when its parameter is read; until then it only has to be stable.
    return text.replaceAll(/[^A-Za-z0-9%._~-]/g, encodeURIComponent);
  }
}

/** Colons are common in ids and allowed in paths and queries. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
