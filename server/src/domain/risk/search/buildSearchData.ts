import { termCount } from './dictionary.ts';
import { createNames, createTexts, type Texts } from './gatherTexts.ts';
import { buildHashOrder } from './hashOrder.ts';
import { buildIdTable } from './idTable.ts';
import { KINDS, kindOf } from './kinds.ts';
import { keyCount, type NameKeys } from './nameKeys.ts';
import { buildPostings, type Postings } from './postings.ts';
import { IN_ID, NONE, type SearchData } from './searchData.ts';
import type { SearchDoc } from './searchDoc.ts';

/** Of two nodes with one id the one with the greater value stays. */
export function buildSearchData(docs: Iterable<SearchDoc>): SearchData {
  const ranked = rankDocs(docs);
  const count = ranked.length;
  const names = createNames();
  const networks = createTexts();
  const addresses = createTexts();
  const columns = {
    value: new Float64Array(count),
    kind: new Uint8Array(count),
    network: new Uint32Array(count),
    name: new Uint32Array(count),
    symbol: new Uint32Array(count),
    address: new Uint32Array(count),
    nameKey: new Uint32Array(count),
    symbolKey: new Uint32Array(count),
  };
  let known = 0;
  for (let rank = 0; rank < count; rank++) {
    const doc = ranked[rank]!;
    const value = knownValue(doc);
    if (value !== null) known++;
    columns.value[rank] = value ?? Number.NaN;
    columns.kind[rank] = kindOf(doc.label, doc.grade);
    columns.network[rank] = networks.add(doc.network);
    columns.name[rank] = names.add(doc.name);
    columns.symbol[rank] = doc.symbol === undefined ? NONE : names.add(doc.symbol);
    columns.address[rank] = addressColumn(doc, addresses);
  }
  const { texts, dictionary, keys, keyOfText } = names.finish();
  for (let rank = 0; rank < count; rank++) {
    const symbol = columns.symbol[rank]!;
    columns.nameKey[rank] = keyOfText[columns.name[rank]!]!;
    columns.symbolKey[rank] = symbol === NONE ? NONE : keyOfText[symbol]!;
  }
  const { nameKey, symbolKey } = columns;
  return {
    ids: buildIdTable(ranked.map((doc) => doc.id)),
    texts,
    networks: networks.finish(),
    addresses: addresses.finish(),
    byAddress: buildHashOrder(count, (rank) => ranked[rank]!.address?.toLowerCase()),
    dictionary,
    keys,
    byTerm: postingsByTerm(termCount(dictionary), keys, nameKey, symbolKey),
    byKey: buildPostings(keyCount(keys), count, (rank, add) => {
      const name = nameKey[rank]!;
      const symbol = symbolKey[rank]!;
      if (name !== NONE) add(name);
      if (symbol !== NONE && symbol !== name) add(symbol);
    }),
    byKind: buildPostings(KINDS, count, (rank, add) => add(columns.kind[rank]!)),
    known,
    columns,
  };
}

/** What follows `label:chain:`. */
export function addressInId(id: string): string {
  return id.slice(id.indexOf(':', id.indexOf(':') + 1) + 1);
}

function rankDocs(docs: Iterable<SearchDoc>): SearchDoc[] {
  const ranked: SearchDoc[] = [];
  const ids = new Set<string>();
  for (const doc of byValueAndId([...docs])) {
    if (ids.has(doc.id)) continue;
    ids.add(doc.id);
    ranked.push(doc);
  }
  return ranked;
}

/** Puts each where its value stands among the sorted values: far faster than to sort by comparing nodes. */
function byValueAndId(docs: readonly SearchDoc[]): SearchDoc[] {
  const count = docs.length;
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = knownValue(docs[i]!) ?? Number.NEGATIVE_INFINITY;
  const rising = values.slice().sort();
  const taken = new Uint32Array(count);
  const order = new Array<SearchDoc>(count);
  for (let i = 0; i < count; i++) {
    const place = count - firstAbove(rising, values[i]!);
    order[place + taken[place]!++] = docs[i]!;
  }
  for (let place = 0; place < count; place++) {
    const equal = taken[place]!;
    if (equal < 2) continue;
    const sorted = order
      .slice(place, place + equal)
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    for (let i = 0; i < equal; i++) order[place + i] = sorted[i]!;
  }
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

/** A figure that is not a number is not known. */
function knownValue({ value }: SearchDoc): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

function addressColumn(doc: SearchDoc, addresses: Texts): number {
  if (doc.address === undefined) return NONE;
  return addressInId(doc.id) === doc.address ? IN_ID : addresses.add(doc.address);
}

function postingsByTerm(
  terms: number,
  keys: NameKeys,
  nameKey: Uint32Array,
  symbolKey: Uint32Array,
): Postings {
  // The last rank that each word was met in: a word of both name and symbol counts once.
  const met = new Uint32Array(terms);
  const addKey = (rank: number, key: number, add: (term: number) => void) => {
    if (key === NONE) return;
    const end = keys.starts[key + 1]!;
    for (let at = keys.starts[key]!; at < end; at++) {
      const term = keys.terms[at]!;
      if (met[term] === rank) continue;
      met[term] = rank;
      add(term);
    }
  };
  return buildPostings(terms, nameKey.length, (rank, add) => {
    if (rank === 0) met.fill(NONE);
    addKey(rank, nameKey[rank]!, add);
    addKey(rank, symbolKey[rank]!, add);
  });
}
