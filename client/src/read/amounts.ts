/** Converts the fields with these names to bigints at any depth. Changes the value in place. */
export function toBigInts(value: unknown, names: string): unknown {
  change(value, new Set(names.split(' ')));
  return value;
}

function change(value: unknown, names: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const field = fields[name];
    if (typeof field === 'string' && names.has(name)) fields[name] = BigInt(field);
    else change(field, names);
  }
}
