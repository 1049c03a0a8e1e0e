export type Value = string | number | bigint | boolean | null | undefined;
export type Row = Readonly<Record<string, Value>>;

/** Returns a table's differences as text. A field whose expected value is undefined is not compared. */
export function differences(
  table: string,
  key: readonly string[],
  expected: readonly Row[],
  actual: readonly Row[],
): string[] {
  const keyOf = (row: Row) => key.map((field) => `${field} ${row[field]}`).join(', ');
  const found: string[] = [];
  const held = new Map<string, Row>();
  for (const row of actual) {
    if (held.has(keyOf(row))) found.push(`${table}: twice ${keyOf(row)}`);
    held.set(keyOf(row), row);
  }
  for (const row of expected) {
    const own = held.get(keyOf(row));
    held.delete(keyOf(row));
    if (own === undefined) {
      found.push(`${table}: missing ${keyOf(row)}`);
      continue;
    }
    for (const [field, value] of Object.entries(row)) {
      if (value === undefined || isSame(value, own[field])) continue;
      found.push(`${table} (${keyOf(row)}): ${field} is ${own[field]}, must be ${value}`);
    }
  }
  for (const rest of held.keys()) found.push(`${table}: must not hold ${rest}`);
  return found;
}

/** Compares exactly, except for fractions, which two computations can round differently. */
function isSame(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase();
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
