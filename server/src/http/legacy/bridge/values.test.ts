import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatted, numberText, percentText } from './values.ts';

describe('percentText', () => {
  test.each([
    [0.0451, '4.51'],
    [0.0729, '7.29'],
    [0, '0'],
    [-0.5, '-50'],
    [1, '100'],
    [1e-9, '0.0000001'],
    [0.07800000000000001, '7.800000000000001'],
    // Longer than any amount, but still a number.
    [1e90, String(1e90 * 100)],
  ])('default: %d', (fraction, text) => {
    expect(percentText(fraction)).toBe(text);
  });

  test('behavior: has every digit, with the decimal point moved by two places', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e6, noNaN: true }), (fraction) => {
        expect(Number(`${percentText(fraction)}e-2`)).toBe(fraction);
        expect(Number(`${percentText(-fraction)}e-2`)).toBe(-fraction);
      }),
    );
  });
});

describe('numberText', () => {
  test.each([
    [1_249_875.12, '1249875.12'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
  ])('default: %d', (number, text) => {
    expect(numberText(number)).toBe(text);
  });
});

describe('formatted', () => {
  test('default', () => {
    expect(formatted('-1250000', 6)).toEqual({ raw: '-1250000', formatted: '-1.25' });
  });

  test('behavior: exact past the digits of a float', () => {
    const raw = '123456789012345678901234567890';
    expect(formatted(raw, 18)).toEqual({ raw, formatted: '123456789012.34567890123456789' });
  });
});
