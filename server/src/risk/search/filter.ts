import { type Comparison, gradeMatches } from './comparison.ts';
import type { Range } from './dictionary.ts';
import { gradeOfKind, KINDS, labelOfKind } from './kinds.ts';
import type { SearchData } from './searchData.ts';
import type { SearchQuery } from './searchQuery.ts';

/** Determines which nodes can be hits; checked before a node becomes one. */
export interface Filter {
  /**
   * A comparison of values is a range of ranks, because ranks follow the value. Nodes without a value can be inside it.
   */
  readonly ranks: Range;
  readonly valued: boolean;
  /** By kind: 1 if it can be a hit. */
  readonly kinds: Uint8Array;
  /** Number of nodes of these kinds. */
  readonly size: number;
  readonly network: number | null;
}

export function createFilter(data: SearchData, query: SearchQuery): Filter {
  const kinds = new Uint8Array(KINDS);
  let size = 0;
  for (let kind = 0; kind < KINDS; kind++) {
    if (query.label !== undefined && labelOfKind(kind) !== query.label) continue;
    if (query.grade !== undefined && !gradeMatches(gradeOfKind(kind), query.grade)) continue;
    kinds[kind] = 1;
    size += data.byKind.starts[kind + 1]! - data.byKind.starts[kind]!;
  }
  const all = { low: 0, high: data.columns.order.length };
  const ranks = query.tvl === undefined ? all : ranksWith(data, query.tvl);
  return { ranks, valued: query.tvl !== undefined, kinds, size, network: null };
}

export function passes(filter: Filter, data: SearchData, rank: number): boolean {
  return (
    rank >= filter.ranks.low &&
    rank < filter.ranks.high &&
    filter.kinds[data.columns.kind[rank]!] === 1 &&
    (!filter.valued || data.columns.valued[rank] === 1) &&
    (filter.network === null || data.columns.network[rank] === filter.network)
  );
}

function ranksWith(data: SearchData, { operator, value }: Comparison<number>): Range {
  const below = () => firstRank(data, (other) => other < value);
  const atMost = () => firstRank(data, (other) => other <= value);
  switch (operator) {
    case '>':
      return { low: 0, high: atMost() };
    case '>=':
      return { low: 0, high: below() };
    case '<':
      return { low: below(), high: data.columns.order.length };
    case '<=':
      return { low: atMost(), high: data.columns.order.length };
    case '=':
      return { low: atMost(), high: below() };
  }
}

/** Monotonic in rank: if it holds for one rank, it holds for all later ones. */
function firstRank(data: SearchData, holds: (value: number) => boolean): number {
  let low = 0;
  let high = data.columns.order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(data.columns.order[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
