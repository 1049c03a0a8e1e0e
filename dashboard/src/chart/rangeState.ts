import { setQuery, usePlace } from '../state/url.ts';
import { RANGES, type Range } from './ranges.ts';
import { customRange, type Days, isPeriod, type ShownRange, usualRange } from './shownRange.ts';

export function useRange(): [ShownRange, (range: Range | Days) => void] {
  const { query } = usePlace();
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const range = RANGES.find(([one]) => one === query.get('range'))?.[0] ?? '30d';
  const shown = isPeriod(from, to) ? customRange({ from, to }) : usualRange(range);
  return [shown, choose];
}

function choose(range: Range | Days): void {
  const days = typeof range === 'string' ? undefined : range;
  setQuery({
    range: range === '30d' || days ? undefined : (range as Range),
    ...{ from: days?.from, to: days?.to, zoom: undefined },
  });
}
