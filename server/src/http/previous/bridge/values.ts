import { parseDecimal, writeDecimal } from '../../../domain/decimalText.ts';
import { Shape, Text } from '../../schemas.ts';

/** An amount as the previous API wrote it. */
export interface Formatted {
  readonly raw: string;
  readonly formatted: string;
}

export const ZERO: Formatted = { raw: '0', formatted: '0' };

/** Base units in decimal digits, and the same as a decimal number with all its digits. */
export function formatted(raw: string, decimals: number): Formatted {
  return { raw, formatted: writeDecimal({ value: BigInt(raw), decimals }) };
}

export function FormattedValue(description: string) {
  return Shape(
    {
      raw: Text('In base units: an integer in decimal digits, exact.', '1250000'),
      formatted: Text('The same as a decimal number, exact.', '1.25'),
    },
    description,
  );
}

/** A number without an exponent, digit for digit. */
export function numberText(number: number): string {
  return shifted(number, 0);
}

/** A fraction as percent: 0.0451 is 4.51, where a float would make 4.5099999999999998 of it. */
export function percentText(fraction: number): string {
  return shifted(fraction, 2);
}

export function percentOrNull(fraction: number | null): string | null {
  return fraction === null ? null : percentText(fraction);
}

function shifted(number: number, places: number): string {
  const exact = parseDecimal(String(number));
  // Nothing real has so many digits; those who read numbers read exponents too.
  if (exact === undefined) return String(number * 10 ** places);
  return writeDecimal({ ...exact, value: exact.value * 10n ** BigInt(places) });
}

/** Unix seconds of an instant that today's API wrote. */
export function secondsOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
