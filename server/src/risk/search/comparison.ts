import { GRADES, type Grade } from '../../domain/risk/graph.ts';

export const OPERATORS = ['>=', '<=', '>', '<', '='] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Comparison<T> {
  readonly operator: Operator;
  readonly value: T;
}

/** A parsed parameter, or why it is invalid, as text for the client. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_CHARACTERS = 64;
const TVL_FORM = 'must be one of >, >=, <, <=, = followed by a number, for example >5e8';
const GRADE_FORM =
  'must be a letter from A to F, alone or after one of >, >=, <, <=, =; A is the smallest, <=B means B or better';

/** `>5e8`, `<= 1000000`. A number without an operator is rejected, because it could mean either direction. */
export function parseTvl(text: string): Parsed<Comparison<number>> {
  const { operator, rest } = splitOperator(text);
  if (operator === undefined || text.length > MAX_CHARACTERS || !NUMBER.test(rest))
    return refuse(TVL_FORM);
  const value = Number(rest);
  if (!Number.isFinite(value)) return refuse('is too large a number');
  return { ok: true, value: { operator, value } };
}

/** `<=B`, `= C`, or a single letter for equality. */
export function parseGrade(text: string): Parsed<Comparison<Grade>> {
  const { operator, rest } = splitOperator(text);
  const letter = rest.toUpperCase();
  const value = GRADES.find((grade) => grade === letter);
  if (value === undefined) return refuse(GRADE_FORM);
  return { ok: true, value: { operator: operator ?? '=', value } };
}

/** In alphabetical order, so the safest grade is the smallest. */
export function gradeMatches(grade: Grade, comparison: Comparison<Grade>): boolean {
  const difference = GRADES.indexOf(grade) - GRADES.indexOf(comparison.value);
  switch (comparison.operator) {
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '=':
      return difference === 0;
  }
}

function splitOperator(text: string): { operator: Operator | undefined; rest: string } {
  const trimmed = text.trim();
  const operator = OPERATORS.find((candidate) => trimmed.startsWith(candidate));
  return { operator, rest: trimmed.slice(operator?.length ?? 0).trim() };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
