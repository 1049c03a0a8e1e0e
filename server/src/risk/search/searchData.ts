import type { Dictionary } from './dictionary.ts';
import type { HashTable } from './hashTable.ts';
import type { IdTable } from './idTable.ts';
import type { NameKeys } from './nameKeys.ts';
import type { PackedStrings } from './packedStrings.ts';
import type { Postings } from './postings.ts';

/** Stands in a column for "has none". */
export const NONE = 0xffff_ffff;
/** Stands for an address or key that is the last part of the node's id, where nearly all of them are. */
export const IN_ID = 0xffff_fffe;

/**
 * The whole index as plain blocks of numbers, so that a worker thread can build it and hand it over. Nodes are
 * numbered by rank: greatest value first, or weight where the value is not known, equals by id. So every list in
 * rising order has the best first, and a comparison with a value is a range of ranks.
 */
export interface SearchData {
  readonly ids: IdTable;
  /** Names and symbols, each different one once. */
  readonly texts: PackedStrings;
  readonly networks: PackedStrings;
  /** Those that are not in the id. */
  readonly addresses: PackedStrings;
  /** All of them, to ranks. */
  readonly byAddress: HashTable;
  readonly dictionary: Dictionary;
  readonly keys: NameKeys;
  /** Ranks by word, by name or symbol, and by kind (label and grade). */
  readonly byTerm: Postings;
  readonly byKey: Postings;
  readonly byKind: Postings;
  readonly columns: {
    /** Value or weight: it falls with the rank. */
    readonly order: Float64Array<ArrayBuffer>;
    /** 1 where it is the value. */
    readonly valued: Uint8Array<ArrayBuffer>;
    readonly kind: Uint8Array<ArrayBuffer>;
    readonly network: Uint32Array<ArrayBuffer>;
    readonly name: Uint32Array<ArrayBuffer>;
    readonly symbol: Uint32Array<ArrayBuffer>;
    readonly address: Uint32Array<ArrayBuffer>;
    /** 1 where that is a key, for want of an address. */
    readonly keyed: Uint8Array<ArrayBuffer>;
    readonly nameKey: Uint32Array<ArrayBuffer>;
    readonly symbolKey: Uint32Array<ArrayBuffer>;
  };
}
