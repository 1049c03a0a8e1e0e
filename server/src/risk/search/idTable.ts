import { buildHashTable, type HashTable, listOf } from './hashTable.ts';
import {
  isStringAt,
  type PackedStrings,
  packStrings,
  stringAt,
  stringCount,
} from './packedStrings.ts';
import { hashText, hashUnits, unitsOf } from './units.ts';

/** Ids by number and numbers by id, as blocks that a worker can transfer. */
export interface IdTable {
  readonly strings: PackedStrings;
  readonly byHash: HashTable;
}

/** Ids must be unique; numbers follow their order. */
export function buildIdTable(ids: readonly string[]): IdTable {
  return {
    strings: packStrings(ids),
    byHash: buildHashTable(ids.length, (index) => hashText(ids[index]!)),
  };
}

export function idCount(table: IdTable): number {
  return stringCount(table.strings);
}

export function idAt(table: IdTable, index: number): string {
  return stringAt(table.strings, index);
}

export function findId({ strings, byHash }: IdTable, id: string): number | undefined {
  const units = unitsOf(id);
  const list = listOf(byHash, hashUnits(units, 0, id.length));
  const end = byHash.starts[list + 1]!;
  for (let at = byHash.starts[list]!; at < end; at++) {
    const index = byHash.ranks[at]!;
    if (isStringAt(strings, index, id, units)) return index;
  }
  return undefined;
}
