import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { type CollectedDocs, createDocCollector } from './collectDocs.ts';
import { termCount } from './dictionary.ts';
import { createGrowingNumbers } from './growingNumbers.ts';
import { buildHashTable } from './hashTable.ts';
import { KINDS } from './kinds.ts';
import { keyCount, type NameKeys } from './nameKeys.ts';
import { buildPostings, type Postings } from './postings.ts';
import { type RankedDocs, rankDocs } from './rankDocs.ts';
import { NONE, type SearchData } from './searchData.ts';

/** Of two nodes with one id, the one with the greater value is kept. */
export function buildSearchData(docs: Iterable<SearchDoc>): SearchData {
  const collector = createDocCollector(Array.isArray(docs) ? docs.length : undefined);
  for (const doc of docs) collector.add(doc);
  const collected = collector.finish();
  return arrangeSearchData(collected, rankDocs(collected));
}

/** Maps the order of arrival to the order of ranks. */
export function arrangeSearchData(docs: CollectedDocs, { places, ids }: RankedDocs): SearchData {
  const { texts, dictionary, keys, keyOfText } = docs.names;
  const count = places.length;
  const ranked = (column: Uint32Array) => {
    const own = new Uint32Array(count);
    for (let rank = 0; rank < count; rank++) own[rank] = column[places[rank]!]!;
    return own;
  };
  const keyOf = (column: Uint32Array) =>
    column.map((text) => (text === NONE ? NONE : keyOfText[text]!));
  const kind = ranked(docs.kind);
  const name = ranked(docs.name);
  const symbol = ranked(docs.symbol);
  const address = ranked(docs.address);
  const addressHash = ranked(docs.addressHash);
  const order = new Float64Array(count);
  for (let rank = 0; rank < count; rank++) order[rank] = docs.order[places[rank]!]!;
  const nameKey = keyOf(name);
  const symbolKey = keyOf(symbol);
  return {
    ids,
    texts,
    networks: docs.networks,
    addresses: docs.addresses,
    byAddress: buildHashTable(count, (rank) =>
      address[rank] === NONE ? undefined : addressHash[rank]!,
    ),
    dictionary,
    keys,
    byTerm: postingsByTerm(termCount(dictionary), keys, nameKey, symbolKey),
    byKey: postingsByKey(keyCount(keys), nameKey, symbolKey),
    byKind: buildPostings(KINDS, kind),
    columns: {
      order,
      valued: new Uint8Array(ranked(docs.valued)),
      kind: new Uint8Array(kind),
      network: ranked(docs.network),
      name,
      symbol,
      address,
      keyed: new Uint8Array(ranked(docs.keyed)),
      nameKey,
      symbolKey,
    },
  };
}

function postingsByTerm(
  terms: number,
  keys: NameKeys,
  nameKey: Uint32Array,
  symbolKey: Uint32Array,
): Postings {
  const listOf = createGrowingNumbers(nameKey.length * 6);
  const rankOf = createGrowingNumbers(nameKey.length * 6);
  // The last rank in which each word occurred: a word in both name and symbol counts once.
  const met = new Uint32Array(terms).fill(NONE);
  const addKey = (rank: number, key: number) => {
    if (key === NONE) return;
    const end = keys.starts[key + 1]!;
    for (let at = keys.starts[key]!; at < end; at++) {
      const term = keys.terms[at]!;
      if (met[term] === rank) continue;
      met[term] = rank;
      listOf.push(term);
      rankOf.push(rank);
    }
  };
  for (let rank = 0; rank < nameKey.length; rank++) {
    addKey(rank, nameKey[rank]!);
    addKey(rank, symbolKey[rank]!);
  }
  return buildPostings(terms, listOf.view(), rankOf.view());
}

function postingsByKey(keys: number, nameKey: Uint32Array, symbolKey: Uint32Array): Postings {
  const listOf = createGrowingNumbers(nameKey.length * 2);
  const rankOf = createGrowingNumbers(nameKey.length * 2);
  const addKey = (rank: number, key: number) => {
    if (key === NONE) return;
    listOf.push(key);
    rankOf.push(rank);
  };
  for (let rank = 0; rank < nameKey.length; rank++) {
    addKey(rank, nameKey[rank]!);
    if (symbolKey[rank] !== nameKey[rank]) addKey(rank, symbolKey[rank]!);
  }
  return buildPostings(keys, listOf.view(), rankOf.view());
}
