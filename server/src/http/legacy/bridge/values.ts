import { parseDecimal, writeDecimal } from '../../../domain/decimalText.ts';
import { Shape, Text } from '../../schemas.ts';

/** An amount in the format of the legacy API. */
export interface Formatted {
  readonly raw: string;
  readonly formatted: string;
}

export const ZERO: Formatted = { raw: '0', formatted: '0' };

/** Formats base units in decimal digits, and as a decimal number with all its digits. */
export function formatted(raw: string, decimals: number): Formatted {
  return { raw, formatted: writeDecimal({ value: BigInt(raw), decimals }) };
}

export function FormattedValue(description: string) {
  return Shape(
    {
      raw: Text('In base units: an integer in decimal digits.', '1250000'),
      formatted: Text('As an exact decimal number.', '1.25'),
    },
    description,
  );
}

/** Formats a number without an exponent, exactly. */
export function numberText(number: number): string {
  return shifted(number, 0);
}

/** Converts a fraction to percent exactly: 0.0451 is 4.51, where floats would give 4.5099999999999998. */
export function percentText(fraction: number): string {
  return shifted(fraction, 2);
}

export function percentOrNull(fraction: number | null): string | null {
  return fraction === null ? null : percentText(fraction);
}

function shifted(number: number, places: number): string {
  const exact = parseDecimal(String(number));
  // No real value has so many digits, and number parsers accept exponents too.
  if (exact === undefined) return String(number * 10 ** places);
  return writeDecimal({ ...exact, value: exact.value * 10n ** BigInt(places) });
}

/** Converts a time of the current API to Unix seconds. */
export function secondsOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
