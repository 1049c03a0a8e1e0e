import { type Statement, statement } from '../store.ts';

/**
 * A bulk write in two shapes that take the same columns. A write of one row, which is what a quiet server does, would
 * be planned anew each time: PostgreSQL expects ten rows of an unknown array and finds one better. Without the array
 * it keeps its plan, at a third of the CPU.
 */
export interface OneOrMany {
  for(rows: readonly unknown[]): Statement;
}

/** `text` is given what to select from: rows with a column of each type, in order. */
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
