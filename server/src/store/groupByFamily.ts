import { groupBy } from '../domain/groupBy.ts';

/** Groups rows by family, in their order. */
export function groupByFamily<T extends { readonly familyId: number }>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  return groupBy(rows, ({ familyId }) => familyId);
}
