import type { Decimal } from './amount.ts';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Amounts are kept in numeric(78,0); nothing real has more digits, before or after the point. */
const MAX_DIGITS = 77;

/**
 * A decimal number exactly as it is written, exponent included; undefined when it is none, or too long to keep.
 * Going through a float would change the last digits.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return { value: 0n, decimals: 0 };
  const significant = digits.replace(/0+$/, '');
  const scale = fraction.length - Number(exponent) - (digits.length - significant.length);
  if (scale > MAX_DIGITS || significant.length - Math.min(0, scale) > MAX_DIGITS) return undefined;
  const magnitude = BigInt(significant) * 10n ** BigInt(Math.max(0, -scale));
  return { value: sign === '-' ? -magnitude : magnitude, decimals: Math.max(0, scale) };
}

/** The number in units of 10^-decimals; undefined when it has more digits than that. */
export function scaleExactly(number: Decimal, decimals: number): bigint | undefined {
  if (number.decimals > decimals) return undefined;
  return number.value * 10n ** BigInt(decimals - number.decimals);
}

/** As people write it: 1250000 with 6 decimals is 1.25. */
export function writeDecimal({ value, decimals }: Decimal): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}
