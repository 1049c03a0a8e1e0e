import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { buildSearchData } from './buildSearchData.ts';
import { addressInId } from './collectDocs.ts';
import { createFilter, type Filter, passes } from './filter.ts';
import { foldWords } from './fold.ts';
import { listOf } from './hashTable.ts';
import { findId, type IdTable, idAt, idCount } from './idTable.ts';
import { labelOfKind } from './kinds.ts';
import { stringAt, stringCount } from './packedStrings.ts';
import { IN_ID, NONE, type SearchData } from './searchData.ts';
import type { SearchHit, SearchQuery } from './searchQuery.ts';
import { type Found, findMistyped, findSpelled } from './tiers.ts';
import { hashText } from './units.ts';

export interface SearchIndex {
  readonly size: number;
  /** Numbers are ranks. An adjacency can use the same table. */
  readonly ids: IdTable;
  /**
   * Returns hits, best first: an address or id, then names and symbols (entire, by prefix, by all words, by prefixes of
   * words), then the same on a network that the query names, then with typing mistakes. Hits of one class are ordered
   * by value, or by weight if it is unknown, then by id.
   */
  search(query: SearchQuery): SearchHit[];
  hitAt(rank: number): SearchHit;
}

export function buildSearchIndex(docs: Iterable<SearchDoc>): SearchIndex {
  return openSearchIndex(buildSearchData(docs));
}

/** Opens data that was built elsewhere, such as in a worker thread. */
export function openSearchIndex(data: SearchData): SearchIndex {
  const networks = networksByName(data);
  return {
    size: idCount(data.ids),
    ids: data.ids,
    search: (query) => findRanks(data, networks, query).map((rank) => hitAt(data, rank)),
    hitAt: (rank) => hitAt(data, rank),
  };
}

type Networks = ReadonlyMap<string, number>;

function networksByName(data: SearchData): Networks {
  const networks = new Map<string, number>();
  for (let network = 0; network < stringCount(data.networks); network++)
    networks.set(foldWords(stringAt(data.networks, network)).join(' '), network);
  return networks;
}

function findRanks(data: SearchData, networks: Networks, query: SearchQuery): readonly number[] {
  const filter = createFilter(data, query);
  const text = query.q.trim().toLowerCase();
  // An address or id is exact, so similar names are not added to its hits.
  const identified = withAddressOrId(data, text);
  if (identified.length > 0)
    return identified.filter((rank) => passes(filter, data, rank)).slice(0, query.limit);
  const words = foldWords(text);
  if (words.length === 0) return [];
  const found: Found = { ranks: [], limit: query.limit };
  const onNetwork = splitNetwork(words, networks, filter);
  findSpelled(data, words, filter, found);
  if (onNetwork !== undefined) findSpelled(data, onNetwork.words, onNetwork.filter, found);
  findMistyped(data, words, filter, found);
  if (onNetwork !== undefined && found.ranks.length === 0)
    findMistyped(data, onNetwork.words, onNetwork.filter, found);
  return found.ranks;
}

function withAddressOrId(data: SearchData, text: string): number[] {
  const ranks: number[] = [];
  const { byAddress } = data;
  const list = listOf(byAddress, hashText(text));
  // Every node with that address, on any network.
  for (const rank of byAddress.ranks.subarray(byAddress.starts[list], byAddress.starts[list + 1]))
    if (addressAt(data, rank)?.toLowerCase() === text) ranks.push(rank);
  const byId = findId(data.ids, text);
  return byId === undefined || ranks.includes(byId) ? ranks : [...ranks, byId];
}

/** "usdc base": some adjacent words name a network, and the others are searched there. */
function splitNetwork(words: readonly string[], networks: Networks, filter: Filter) {
  for (let length = words.length - 1; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const network = networks.get(words.slice(start, start + length).join(' '));
      if (network === undefined) continue;
      const rest = [...words.slice(0, start), ...words.slice(start + length)];
      return { words: rest, filter: { ...filter, network } };
    }
  return undefined;
}

function hitAt(data: SearchData, rank: number): SearchHit {
  const { columns } = data;
  const symbol = columns.symbol[rank]!;
  const address = addressAt(data, rank);
  return {
    id: idAt(data.ids, rank),
    label: labelOfKind(columns.kind[rank]!),
    name: stringAt(data.texts, columns.name[rank]!),
    ...(symbol === NONE ? {} : { symbol: stringAt(data.texts, symbol) }),
    ...(address === undefined
      ? {}
      : columns.keyed[rank] === 1
        ? { uniqueKey: address }
        : { address }),
    network: stringAt(data.networks, columns.network[rank]!),
    value: columns.valued[rank] === 1 ? columns.order[rank]! : null,
  };
}

/** Or its key, if there is no address. */
function addressAt(data: SearchData, rank: number): string | undefined {
  const address = data.columns.address[rank]!;
  if (address === NONE) return undefined;
  return address === IN_ID ? addressInId(idAt(data.ids, rank)) : stringAt(data.addresses, address);
}
