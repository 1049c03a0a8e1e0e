/** Groups rows by family, in their order. */
export function groupByFamily<T extends { readonly familyId: number }>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const known = groups.get(row.familyId);
    if (known === undefined) groups.set(row.familyId, [row]);
    else known.push(row);
  }
  return groups;
}
