import type { RiskRecord } from '../../domain/risk/record.ts';
import { type ListSource, listSource, type RiskListName } from '../../domain/risk/riskLists.ts';
import type { MapContext, Mapped } from './defillama/item.ts';

/** A public list: everything that differs between lists. */
export interface RiskList {
  readonly name: RiskListName;
  /** Lists with a lower number are read first, so that items of later lists find the nodes that they reference. */
  readonly order: number;
  /** The kinds of documents that it is available as. */
  readonly documents: readonly ListDocument[];
  /** A first pass over all items, for values that an item needs from later items. */
  learn?(context: MapContext): (value: unknown) => void;
  /** Converts one item; `key` is its name if the list is an object. */
  map(value: unknown, key: string | undefined, context: MapContext): Mapped;
  /** Facts about other nodes that need all items; skipped if some are unreadable. */
  sum?(context: MapContext): readonly RiskRecord[];
  /** Combines two records of one node. Without it, only the first counts. */
  join?(first: RiskRecord, second: RiskRecord): RiskRecord;
  /**
   * What a list with broken entries may still change. It never removes a node. If a record combines several entries, an
   * unreadable one would be missing from it, so the record is not changed either.
   */
  readonly whenBroken: 'adds and changes' | 'adds';
}

export interface ListDocument {
  /** "this is a list of …" */
  readonly words: string;
  /** Whether the fields of an item identify this list. */
  isItem(has: (...fields: string[]) => boolean, item: Item): boolean;
  /** The file name, for lists whose items do not identify them. */
  readonly fileName: RegExp;
}

export interface Item {
  readonly id: unknown;
  /** Its key, if the list is an object. */
  readonly key: string | undefined;
}

export function sourceOfList({ name }: RiskList): ListSource {
  return listSource(name);
}
