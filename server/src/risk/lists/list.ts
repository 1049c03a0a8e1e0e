import type { RiskRecord } from '../../domain/risk/record.ts';
import { type ListSource, listSource, type RiskListName } from '../../domain/risk/riskLists.ts';
import type { MapContext, Mapped } from './defillama/item.ts';

/** A public list: all that differs between one and another. */
export interface RiskList {
  readonly name: RiskListName;
  /** Lists of a lower number are read first: what an item points to is looked for there. */
  readonly order: number;
  /** The documents that it may come in. */
  readonly documents: readonly ListDocument[];
  /** A first reading of all items, for what one must know of those after it. */
  learn?(context: MapContext): (value: unknown) => void;
  /** What one item gives; `key` is its name where the list is an object. */
  map(value: unknown, key: string | undefined, context: MapContext): Mapped;
  /** What all items together say of other nodes; left out when some of them cannot be read. */
  sum?(context: MapContext): readonly RiskRecord[];
  /** Makes one record of two on the same node; without it the first alone counts. */
  join?(first: RiskRecord, second: RiskRecord): RiskRecord;
  /**
   * What a list with broken entries may still do. It never takes a node away; where several entries make up one
   * record, an entry that cannot be read would be missing in it, so it may not change one either.
   */
  readonly whenBroken: 'adds and changes' | 'adds';
}

export interface ListDocument {
  /** "this is a list of …" */
  readonly words: string;
  /** Whether an item, by its fields, can only be one of these. */
  isItem(has: (...fields: string[]) => boolean, item: Item): boolean;
  /** What a file is called whose items do not tell. */
  readonly fileName: RegExp;
}

export interface Item {
  readonly id: unknown;
  /** Its name in a list that is an object. */
  readonly key: string | undefined;
}

export function sourceOfList({ name }: RiskList): ListSource {
  return listSource(name);
}
