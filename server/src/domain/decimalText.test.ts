import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal, scaleExactly, writeDecimal } from './decimalText.ts';

describe('parseDecimal', () => {
  test('default', () => {
    expect(parseDecimal('0.99987600')).toEqual({ value: 999876n, decimals: 6 });
  });

  test.each([
    ['0', 0n, 0],
    ['-0.0', 0n, 0],
    ['1', 1n, 0],
    ['100', 100n, 0],
    ['-12.5', -125n, 1],
    ['+3', 3n, 0],
    ['.5', 5n, 1],
    ['5.', 5n, 0],
    ['1.0002e-7', 10002n, 11],
    ['1.5E3', 1500n, 0],
    ['1.23e1', 123n, 1],
    ['12345678901234567890.12345678901234567891', 1234567890123456789012345678901234567891n, 20],
    ['1e-77', 1n, 77],
  ])('behavior: %s', (text, value, decimals) => {
    expect(parseDecimal(text)).toEqual({ value, decimals });
  });

  test.each([
    '',
    '.',
    '-',
    'NaN',
    'Infinity',
    '1,5',
    '0x10',
    '1e',
    '1 ',
    '1e-78',
    '1e99',
    '1e99999',
  ])('error: %j is not a decimal, or is too long', (text) => {
    expect(parseDecimal(text)).toBe(undefined);
  });

  test('behavior: a shift of the point changes the scale, never the digits', () => {
    const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const exponents = fc.integer({ min: -40, max: 40 });
    fc.assert(
      fc.property(digits, exponents, (value, exponent) => {
        const parsed = parseDecimal(`${value}e${exponent}`)!;
        const left = parsed.value * 10n ** BigInt(Math.max(0, -exponent));
        const right = value * 10n ** BigInt(Math.max(0, exponent)) * 10n ** BigInt(parsed.decimals);
        expect(left).toBe(right);
      }),
    );
  });
});

describe('scaleExactly', () => {
  test('default', () => {
    expect(scaleExactly({ value: 15n, decimals: 1 }, 6)).toBe(1_500_000n);
  });

  test('error: more digits than the scale has', () => {
    expect(scaleExactly({ value: 15n, decimals: 7 }, 6)).toBe(undefined);
  });
});

describe('writeDecimal', () => {
  test.each([
    [0n, 0, '0'],
    [0n, 6, '0'],
    [1_250_000n, 6, '1.25'],
    [1n, 18, '0.000000000000000001'],
    [-4_200_001n, 6, '-4.200001'],
    [-5n, 1, '-0.5'],
    [1200n, 0, '1200'],
  ])('default: %s with %i decimals', (value, decimals, text) => {
    expect(writeDecimal({ value, decimals })).toBe(text);
  });

  test('behavior: reads back as it was', () => {
    const values = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 36 }), (value, decimals) => {
        const read = parseDecimal(writeDecimal({ value, decimals }))!;
        expect(scaleExactly(read, decimals)).toBe(value);
      }),
    );
  });
});
