import { setQuery, usePlace } from '../state/url.ts';
import type { Span } from './line.ts';

/** The zoom of a page's chart, in its address. */
export function useZoom(): [Span | undefined, (span: Span | undefined) => void] {
  const found = /^(\d{1,11})-(\d{1,11})$/.exec(usePlace().query.get('zoom') ?? '');
  const span = found ? { min: Number(found[1]), max: Number(found[2]) } : undefined;
  const set = (next: Span | undefined) =>
    setQuery({ zoom: next && `${Math.round(next.min)}-${Math.round(next.max)}` });
  return [span && span.max > span.min ? span : undefined, set];
}
