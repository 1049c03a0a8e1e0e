import { type Found, isFound } from './asOf.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Returns the headers of a response that consists of these data points. One that is missing may still be added. */
export function asOfHeaders(
  found: readonly (Found | undefined)[],
): Readonly<Record<string, string>> {
  const points = found.filter((one) => one !== undefined).filter(isFound);
  if (points.length === 0) return {};
  const newest = Math.max(...points.map(({ at }) => at));
  const isFinal = points.length === found.length && points.every((point) => point.isFinal);
  return {
    'memento-datetime': new Date(newest * 1000).toUTCString(),
    ...(isFinal && { 'cache-control': IMMUTABLE }),
  };
}
