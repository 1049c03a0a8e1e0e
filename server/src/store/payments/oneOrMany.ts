import { type Statement, statement } from '../store.ts';

/**
 * A bulk write in two shapes that take the same columns. With an array, PostgreSQL plans a write of one row, the usual
 * case on a quiet server, again each time: it expects ten rows of an unknown array, and finds a better plan for one.
 * Without the array, it reuses the plan, at a third of the CPU time.
 */
export interface OneOrMany {
  for(rows: readonly unknown[]): Statement;
}

/** `text` receives the source of its rows: one with a column of each type, in order. */
export function oneOrMany(
  name: string,
  types: readonly string[],
  text: (rows: string) => string,
): OneOrMany {
  const columns = types.map((type, i) => `$${i + 1}::${type}[]`);
  const many = statement(name, text(`unnest(${columns.join(', ')})`));
  const first = columns.map((column) => `(${column})[1]`);
  const one = statement(`${name}.one`, text(`(values (${first.join(', ')}))`));
  return { for: (rows) => (rows.length === 1 ? one : many) };
}
