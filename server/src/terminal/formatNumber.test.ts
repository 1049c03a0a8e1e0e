import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal, scaleExactly } from '../domain/decimalText.ts';
import {
  amountText,
  asNumber,
  exactAmount,
  percentText,
  shortNumber,
  usdText,
} from './formatNumber.ts';

describe('amountText', () => {
  test.each([
    ['14973120482116', 6, '14,973,120.48'],
    ['1043219', 6, '1.0432'],
    ['1000000', 6, '1.0000'],
    ['133475', 3, '133.475'],
    ['133475000000', 9, '133.4750'],
    ['1500000000', 6, '1,500.00'],
    ['123456', 6, '0.1234'],
    ['1', 18, '<0.0000000001'],
    ['-1', 18, '-<0.0000000001'],
    ['-250000', 6, '-0.25'],
    ['42', 0, '42'],
    ['0', 18, '0'],
    [null, 6, '–'],
    [undefined, 6, '–'],
  ])('default: %s with %d decimals', (units, decimals, text) => {
    expect(amountText(units, decimals)).toBe(text);
  });

  test('behavior: never rounds up, and never down to zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        fc.integer({ min: 0, max: 24 }),
        (units, decimals) => {
          const text = amountText(units, decimals);
          if (text.startsWith('<')) return;
          const shown = scaleExactly(parseDecimal(text.replaceAll(',', ''))!, decimals)!;
          expect(shown).toBeLessThanOrEqual(units);
          expect(shown).toBeGreaterThan(0n);
        },
      ),
    );
  });
});

test('exactAmount', () => {
  expect(exactAmount('1', 18)).toBe('0.000000000000000001');
  expect(exactAmount('14973120482116', 6)).toBe('14973120.482116');
  expect(exactAmount(null, 6)).toBe('');
});

test('usdText', () => {
  expect(usdText(14979508.5397)).toBe('14,979,509');
  expect(usdText(1234.5)).toBe('1,234.50');
  expect(usdText(0)).toBe('0.00');
  expect(usdText(null)).toBe('–');
});

test('percentText', () => {
  expect(percentText(0.045)).toBe('4.50%');
  expect(percentText(-0.00123)).toBe('-0.12%');
  expect(percentText(null)).toBe('–');
  expect(percentText(12.5)).toBe('1,250.00%');
});

test('shortNumber: adjacent labels of a chart differ', () => {
  expect(shortNumber(14_975_000, 5_000)).toBe('14.975 M');
  expect(shortNumber(15_000_000, 5_000_000)).toBe('15 M');
  expect(shortNumber(0, 500)).toBe('0');
  expect(shortNumber(2_500, 500)).toBe('2.5 k');
  expect(shortNumber(0.25, 0.05)).toBe('0.25');
});

test('asNumber', () => {
  expect(asNumber('1500000', 6)).toBe(1.5);
});
