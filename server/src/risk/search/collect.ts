import type { Range } from './dictionary.ts';
import { type Filter, passes } from './filter.ts';
import { KINDS } from './kinds.ts';
import type { Postings } from './postings.ts';
import { NONE, type SearchData } from './searchData.ts';
import type { TopRanks } from './topRanks.ts';

/** A condition of a hit: it is in one of these lists. */
export interface Condition {
  readonly of: 'word' | 'key';
  /** Adjacent lists: one for an exact word, many for a prefix. */
  readonly lists: Range;
  /** Additional single lists, ascending. */
  readonly more: Uint32Array;
}

const NO_MORE = new Uint32Array(0);

export function within(of: Condition['of'], lists: Range, more: Uint32Array = NO_MORE): Condition {
  return { of, lists, more };
}

/** Total number of ranks in the lists. */
export function sizeOf(data: SearchData, { of, lists, more }: Condition): number {
  const { starts } = of === 'word' ? data.byTerm : data.byKey;
  let size = starts[lists.high]! - starts[lists.low]!;
  for (const list of more) size += starts[list + 1]! - starts[list]!;
  return size;
}

/**
 * Offers every rank that meets all conditions. Reads the shortest candidate: the lists of one condition, the nodes of
 * the filter's kinds, or its range of ranks. Stops at the worst rank that would still be a hit.
 */
export function collect(
  data: SearchData,
  conditions: readonly Condition[],
  filter: Filter,
  top: TopRanks,
): void {
  // The rarest condition first: it is read, or at least is the first to fail.
  const sized = conditions.map((condition) => ({ condition, size: sizeOf(data, condition) }));
  sized.sort((a, b) => a.size - b.size);
  const ordered = sized.map(({ condition }) => condition);
  const shortest = sized[0]?.size ?? 0;
  const range = filter.ranks.high - filter.ranks.low;
  if (shortest === 0 || range <= 0 || filter.size === 0) return;
  if (shortest <= range && shortest <= filter.size) {
    readCondition(data, ordered[0]!, ordered.slice(1), filter, top);
  } else if (filter.size <= range) {
    for (let kind = 0; kind < KINDS; kind++)
      if (filter.kinds[kind] === 1) readList(data, data.byKind, kind, ordered, filter, top);
  } else {
    for (let rank = filter.ranks.low; rank < filter.ranks.high && rank < top.end; rank++)
      if (passes(filter, data, rank) && allHold(data, ordered, rank)) top.offer(rank);
  }
}

function readCondition(
  data: SearchData,
  { of, lists, more }: Condition,
  others: readonly Condition[],
  filter: Filter,
  top: TopRanks,
): void {
  const postings = of === 'word' ? data.byTerm : data.byKey;
  for (let list = lists.low; list < lists.high; list++)
    readList(data, postings, list, others, filter, top);
  for (const list of more) readList(data, postings, list, others, filter, top);
}

function readList(
  data: SearchData,
  { starts, ranks }: Postings,
  list: number,
  conditions: readonly Condition[],
  filter: Filter,
  top: TopRanks,
): void {
  const stop = starts[list + 1]!;
  let at = starts[list]!;
  if (filter.ranks.low > 0) at = firstFrom(ranks, at, stop, filter.ranks.low);
  for (; at < stop; at++) {
    const rank = ranks[at]!;
    if (rank >= top.end || rank >= filter.ranks.high) return;
    if (passes(filter, data, rank) && allHold(data, conditions, rank)) top.offer(rank);
  }
}

/** Returns the first index in a range whose number is not below `rank`. */
function firstFrom(ranks: Uint32Array, start: number, stop: number, rank: number): number {
  let low = start;
  let high = stop;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranks[middle]! < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

function allHold(data: SearchData, conditions: readonly Condition[], rank: number): boolean {
  const name = data.columns.nameKey[rank]!;
  const symbol = data.columns.symbolKey[rank]!;
  for (let i = 0; i < conditions.length; i++) {
    const condition = conditions[i]!;
    if (!holdsForKey(data, condition, name) && !holdsForKey(data, condition, symbol)) return false;
  }
  return true;
}

function holdsForKey(data: SearchData, condition: Condition, key: number): boolean {
  if (key === NONE) return false;
  if (condition.of === 'key') return isIn(condition, key);
  const { starts, terms } = data.keys;
  for (let at = starts[key]!; at < starts[key + 1]!; at++)
    if (isIn(condition, terms[at]!)) return true;
  return false;
}

function isIn({ lists, more }: Condition, list: number): boolean {
  if (list >= lists.low && list < lists.high) return true;
  const place = firstFrom(more, 0, more.length, list);
  return place < more.length && more[place] === list;
}
