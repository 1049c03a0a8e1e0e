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
  const given = [...docs];
  const values = Float64Array.from(given, (doc) => knownValue(doc) ?? Number.NEGATIVE_INFINITY);
  const order = Uint32Array.from(given.keys()).sort((a, b) => {
    const left = values[a]!;
    const right = values[b]!;
    if (left !== right) return left > right ? -1 : 1;
    const [one, other] = [given[a]!.id, given[b]!.id];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  const ids = new Set<string>();
  const ranked: SearchDoc[] = [];
  for (const place of order) {
    const doc = given[place]!;
    if (ids.has(doc.id)) continue;
    ids.add(doc.id);
    ranked.push(doc);
  }
  return ranked;
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
