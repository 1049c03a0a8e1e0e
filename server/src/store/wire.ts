import type { Param } from './store.ts';

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const FLOAT4 = 700;
const FLOAT8 = 701;
const NUMERIC = 1700;

type ReadValue = (text: string) => unknown;

const READERS = new Map<number, ReadValue>([
  [BOOL, (text) => text === 't'],
  [BYTEA, (text) => `0x${text.slice(2)}`],
  [INT2, Number],
  [INT4, Number],
  [INT8, readInt8],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [NUMERIC, BigInt],
]);

/** How to parse the text form of a type; other types stay text. */
export function readerOf(oid: number): ReadValue {
  return READERS.get(oid) ?? readText;
}

/** The text form of a parameter. PostgreSQL text cannot contain NUL, so a hostile token name must not stop a write. */
export function paramText(param: Param): string | null {
  if (param === null) return null;
  if (typeof param !== 'string') return String(param);
  return param.includes('\0') ? param.replaceAll('\0', '') : param;
}

/** One bytea parameter from 0x hex. */
export function bytes(hex: string): string {
  return `\\x${hex.slice(2)}`;
}

function readText(text: string): string {
  return text;
}

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 column holds more than 2^53');
  return value;
}
