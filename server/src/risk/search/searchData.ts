import type { Dictionary } from './dictionary.ts';
import type { HashTable } from './hashTable.ts';
import type { IdTable } from './idTable.ts';
import type { NameKeys } from './nameKeys.ts';
import type { PackedStrings } from './packedStrings.ts';
import type { Postings } from './postings.ts';

/** Marks a missing entry in a column. */
export const NONE = 0xffff_ffff;
/** Marks an address or key that is the last part of the node's id, as most are. */
export const IN_ID = 0xffff_fffe;

/**
 * The entire index as blocks of numbers, so that a worker thread can build and transfer it. Nodes are numbered by rank:
 * the greatest value first, or weight if the value is unknown, then by id. An ascending list therefore has the best
 * node first, and a comparison with a value is a range of ranks.
 */
export interface SearchData {
  readonly ids: IdTable;
  /** Unique names and symbols. */
  readonly texts: PackedStrings;
  readonly networks: PackedStrings;
  /** Addresses and keys that are not in the id. */
  readonly addresses: PackedStrings;
  /** Ranks by the hash of every address and key. */
  readonly byAddress: HashTable;
  readonly dictionary: Dictionary;
  readonly keys: NameKeys;
  /** Ranks by word, by name or symbol, and by kind (label and grade). */
  readonly byTerm: Postings;
  readonly byKey: Postings;
  readonly byKind: Postings;
  readonly columns: {
    /** Value or weight; decreases with the rank. */
    readonly order: Float64Array<ArrayBuffer>;
    /** 1 if it is the value. */
    readonly valued: Uint8Array<ArrayBuffer>;
    readonly kind: Uint8Array<ArrayBuffer>;
    readonly network: Uint32Array<ArrayBuffer>;
    readonly name: Uint32Array<ArrayBuffer>;
    readonly symbol: Uint32Array<ArrayBuffer>;
    readonly address: Uint32Array<ArrayBuffer>;
    /** 1 if it is a key, because there is no address. */
    readonly keyed: Uint8Array<ArrayBuffer>;
    readonly nameKey: Uint32Array<ArrayBuffer>;
    readonly symbolKey: Uint32Array<ArrayBuffer>;
  };
}
