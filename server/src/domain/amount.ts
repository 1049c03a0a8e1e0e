/** 10^decimals, exact: `10 ** d` is a float and loses digits past 15. */
export function unit(decimals: number): bigint {
  return 10n ** BigInt(decimals);
}

/** a × b ÷ d, rounded towards zero. */
export function mulDivDown(a: bigint, b: bigint, d: bigint): bigint {
  return (a * b) / d;
}

/** numerator ÷ denominator as the nearest number, however large both are. */
export function ratio(numerator: bigint, denominator: bigint): number {
  if (denominator === 0n) return Number.NaN;
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  // Scale so that the integer quotient keeps 60 bits or more; the last tells of any remainder, so that the
  // conversion, which rounds, is the only one to do so.
  const shift = Math.max(0, 64 - (bitLength(n) - bitLength(d)));
  const scaled = n << BigInt(shift);
  const quotient = scaled / d;
  const value = scaleDown(quotient * d === scaled ? quotient : quotient | 1n, shift);
  return negative ? -value : value;
}

/** A decimal amount: value × 10^-decimals. */
export interface Decimal {
  readonly value: bigint;
  readonly decimals: number;
}

/** What `amount` base units of an asset are worth, as a number: the last step before display. */
export function worth(amount: bigint, assetDecimals: number, price: Decimal): number {
  return ratio(amount * price.value, unit(assetDecimals + price.decimals));
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

function scaleDown(value: bigint, bits: number): number {
  // Number() of a bigint rounds correctly; 2^-bits is exact within the exponent's range.
  return bits <= 1000
    ? Number(value) * 2 ** -bits
    : Number(value) * 2 ** -1000 * 2 ** -(bits - 1000);
}
