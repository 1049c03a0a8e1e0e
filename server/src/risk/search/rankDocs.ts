import type { CollectedDocs } from './collectDocs.ts';
import { buildHashTable } from './hashTable.ts';
import type { IdTable } from './idTable.ts';
import { comparePacked, permutePacked } from './packedStrings.ts';
import { sortPart } from './sortPart.ts';

/** Nodes by rank, as indexes in order of arrival: greatest first, then by id. */
export interface RankedDocs {
  readonly places: Uint32Array<ArrayBuffer>;
  readonly ids: IdTable;
}

/** Of two nodes with one id, the one with the greater value is kept. */
export function rankDocs(docs: CollectedDocs): RankedDocs {
  const places = inOrder(docs);
  const ranked = withIds(docs, places);
  const repeated = findRepeated(docs, ranked);
  if (repeated.size === 0) return ranked;
  return withIds(
    docs,
    places.filter((_, rank) => !repeated.has(rank)),
  );
}

/** Places each node where its value is in the sorted values, which is much faster than sorting nodes. */
function inOrder({ count, order: figures, ids }: CollectedDocs): Uint32Array<ArrayBuffer> {
  const rising = figures.slice().sort();
  const taken = new Uint32Array(count);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const first = count - firstAbove(rising, figures[i]!);
    order[first + taken[first]!++] = i;
  }
  const byId = (a: number, b: number) => comparePacked(ids, a, b);
  for (let first = 0; first < count; first += taken[first]!)
    sortPart(order, first, first + taken[first]!, byId);
  return order;
}

function firstAbove(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withIds(docs: CollectedDocs, places: Uint32Array<ArrayBuffer>): RankedDocs {
  const byHash = buildHashTable(places.length, (rank) => docs.idHash[places[rank]!]!);
  return { places, ids: { strings: permutePacked(docs.ids, places), byHash } };
}

/** Returns the ranks whose id also has a better rank. */
function findRepeated(docs: CollectedDocs, { places, ids }: RankedDocs): Set<number> {
  const { starts, ranks } = ids.byHash;
  const repeated = new Set<number>();
  const isEqual = (a: number, b: number) =>
    docs.idHash[places[a]!] === docs.idHash[places[b]!] && comparePacked(ids.strings, a, b) === 0;
  for (let list = 0; list + 1 < starts.length; list++)
    for (let at = starts[list]! + 1; at < starts[list + 1]!; at++)
      for (let before = starts[list]!; before < at; before++)
        if (isEqual(ranks[before]!, ranks[at]!)) repeated.add(ranks[at]!);
  return repeated;
}
