import { plain } from './plainText.ts';

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A cell as RFC 4180 has it. Null is empty. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return `${value}`;
  const text = plain(value);
  // A spreadsheet would compute it: contracts choose their own names.
  const safe = /^[=+@-]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
