import { type Decimal, ratio, unit } from '../domain/amount.ts';
import { writeDecimal } from '../domain/decimalText.ts';
import { digitsOf } from './scale.ts';

/** Shown for an unknown value, never zero. */
export const UNKNOWN = '–';

/** Formats an amount: two decimals from 1,000, four from 1, and four significant digits below. */
export function amountText(units: string | bigint | null | undefined, decimals: number): string {
  if (units === null || units === undefined) return UNKNOWN;
  const value = BigInt(units);
  const size = value < 0n ? -value : value;
  const one = unit(decimals);
  if (size === 0n) return '0';
  const digits = size >= 1_000n * one ? 2 : size >= one ? 4 : smallDigits(size, decimals);
  if (digits > MAX_DIGITS) return `${value < 0n ? '-' : ''}<0.${'0'.repeat(MAX_DIGITS - 1)}1`;
  // Round toward zero: never show more than the actual amount.
  const kept =
    digits >= decimals
      ? { value, decimals }
      : { value: value / unit(decimals - digits), decimals: digits };
  // From 1 on, pad the digits so that decimal points align.
  return grouped(writeFixed(kept, size >= one ? digits : 2));
}

const MAX_DIGITS = 10;

/** Returns how many decimals show four significant digits. */
function smallDigits(size: bigint, decimals: number): number {
  return Math.max(4, decimals - size.toString().length + 4);
}

/** Formats all digits, for programs; an empty string if unknown. */
export function exactAmount(units: string | bigint | null | undefined, decimals: number): string {
  return units === null || units === undefined
    ? ''
    : writeDecimal({ value: BigInt(units), decimals });
}

export function usdText(usd: number | null | undefined): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd)) return UNKNOWN;
  return grouped(usd.toFixed(Math.abs(usd) >= 10_000 ? 0 : 2));
}

const SIZES = [
  [1e12, ' T'],
  [1e9, ' B'],
  [1e6, ' M'],
  [1e3, ' k'],
  [1, ''],
] as const;

/** Formats as 1.5 M, with enough digits to differ from the next step. */
export function shortNumber(value: number, step: number): string {
  if (value === 0) return '0';
  const size = Math.max(Math.abs(value), step);
  const [at, letter] = SIZES.find(([least]) => size >= least) ?? SIZES.at(-1)!;
  return `${(value / at).toFixed(digitsOf(step / at))}${letter}`;
}

/** Formats a fraction: 0.045 is 4.50%. */
export function percentText(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return UNKNOWN;
  return `${grouped((fraction * 100).toFixed(2))}%`;
}

/** Converts an amount to a number, for charts only: digits are lost. */
export function asNumber(units: string | bigint, decimals: number): number {
  return ratio(BigInt(units), unit(decimals));
}

/** Pads to at least this many decimals. */
function writeFixed(number: Decimal, least: number): string {
  const [whole = '', fraction = ''] = writeDecimal(number).split('.');
  const digits = fraction.padEnd(Math.min(least, number.decimals), '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}

/** Inserts commas between thousands. */
export function grouped(number: string): string {
  const [whole = '', ...fraction] = number.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}
