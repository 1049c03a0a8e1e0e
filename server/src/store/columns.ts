/**
 * Columns of a bulk write, as PostgreSQL array literals:
 * `insert into t select * from unnest($1::bytea[], $2::numeric[], $3::bigint[])`.
 * Cast the parameter itself: through text (`$1::bytea[]`) the planner parses the literal a second time.
 */

/** 0x hex → bytea[]. */
export function bytesColumn(values: readonly (string | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (i > 0) literal += ',';
    literal += value === null ? 'NULL' : `\\\\x${value.slice(2)}`;
  }
  return `${literal}}`;
}

/** Base units → numeric[]. */
export function numericColumn(values: readonly (bigint | null)[]): string {
  return plainColumn(values);
}

/** Integers → smallint[], integer[] or bigint[]. */
export function intColumn(values: readonly (number | null)[]): string {
  return plainColumn(values);
}

/** Numbers → double precision[]; infinities and NaN keep their PostgreSQL names. */
export function floatColumn(values: readonly (number | null)[]): string {
  return plainColumn(values);
}

export function boolColumn(values: readonly (boolean | null)[]): string {
  return plainColumn(values);
}

/** Strings → text[]. Drops NUL, which PostgreSQL cannot store. */
export function textColumn(values: readonly (string | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (i > 0) literal += ',';
    literal += value === null ? 'NULL' : quoted(value);
  }
  return `${literal}}`;
}

function plainColumn(values: readonly (bigint | number | boolean | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (i > 0) literal += ',';
    literal += value === null ? 'NULL' : value;
  }
  return `${literal}}`;
}

// Quotes every element, so that NULL, empty strings, commas, and braces need no special cases.
function quoted(value: string): string {
  return `"${value.replace(/["\\\0]/g, escaped)}"`;
}

function escaped(character: string): string {
  return character === '\0' ? '' : `\\${character}`;
}
