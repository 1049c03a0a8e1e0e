import { buildHashOrder, findEntry, type HashOrder } from './hashOrder.ts';
import {
  isStringAt,
  type PackedStrings,
  packStrings,
  stringAt,
  stringCount,
} from './packedStrings.ts';

/** Ids by number and numbers by id, as blocks that a worker can hand over. */
export interface IdTable {
  readonly strings: PackedStrings;
  readonly order: HashOrder;
}

/** Ids must differ; numbers follow their order. */
export function buildIdTable(ids: readonly string[]): IdTable {
  return {
    strings: packStrings(ids),
    order: buildHashOrder(ids.length, (index) => ids[index]!),
  };
}

export function idCount(table: IdTable): number {
  return stringCount(table.strings);
}

export function idAt(table: IdTable, index: number): string {
  return stringAt(table.strings, index);
}

export function findId(table: IdTable, id: string): number | undefined {
  return findEntry(table.order, id, (index) => isStringAt(table.strings, index, id));
}
