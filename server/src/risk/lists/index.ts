import type { RiskSource } from '../../domain/risk/record.ts';
import { chainList } from './chains.ts';
import { isObject } from './defillama/item.ts';
import { hackList } from './hacks.ts';
import { type ListDocument, type RiskList, sourceOfList } from './list.ts';
import { poolList } from './pools.ts';
import { protocolList } from './protocols.ts';
import { stablecoinList } from './stablecoins.ts';

/** In the order in which they are read. */
export const LISTS: readonly RiskList[] = [
  protocolList,
  poolList,
  stablecoinList,
  chainList,
  hackList,
].sort((a, b) => a.order - b.order);

export function findList(source: RiskSource): RiskList | undefined {
  return LISTS.find((list) => sourceOfList(list) === source);
}

/** A document with its list. */
export interface DocumentOfList {
  readonly list: RiskList;
  readonly document: ListDocument;
}

const DOCUMENTS: readonly DocumentOfList[] = LISTS.flatMap((list) =>
  list.documents.map((document) => ({ list, document })),
);

/** Detects the kind of an item from its fields. */
export function documentOfItem(
  value: unknown,
  key: string | undefined,
): DocumentOfList | undefined {
  if (!isObject(value)) return undefined;
  const has = (...fields: string[]) => fields.every((field) => Object.hasOwn(value, field));
  return DOCUMENTS.find(({ document }) => document.isItem(has, { id: value.id, key }));
}

/**
 * Detects the kind of a file from its name. Lists that are read later have more specific names, so they are tried
 * first.
 */
export function documentOfName(name: string): DocumentOfList | undefined {
  return DOCUMENTS.findLast(({ document }) => document.fileName.test(name));
}
