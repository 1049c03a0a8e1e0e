import { setQuery, usePlace } from '../state/url.ts';
import type { Span } from './line.ts';

/** The zoomed range of the page's chart, stored in the URL. */
export function useZoom(): [Span | undefined, (span: Span | undefined) => void] {
  const found = /^(\d{1,11})-(\d{1,11})$/.exec(usePlace().query.get('zoom') ?? '');
  const span = found ? { min: Number(found[1]), max: Number(found[2]) } : undefined;
  const set = (next: Span | undefined) =>
    // Times are integer seconds: exactly the visible ones are between these two.
    setQuery({ zoom: next && `${Math.ceil(next.min)}-${Math.floor(next.max)}` });
  return [span && span.max > span.min ? span : undefined, set];
}
