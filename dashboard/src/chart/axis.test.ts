import { describe, expect, test } from 'vitest';
import { axisTexts, axisTicks, valueRange } from './axis.ts';

describe('axisTexts', () => {
  test('default: one size for all marks, and no unit', () => {
    expect(axisTexts([0, 2_500_000, 5_000_000], { unit: 'USDC' })).toEqual(['0', '2.5M', '5M']);
    expect(axisTexts([900, 1000, 1100], { unit: 'USDC' })).toEqual(['900', '1,000', '1,100']);
  });

  test('default: a fraction in percent', () => {
    expect(axisTexts([0.05, 0.0525], { unit: '%', factor: 100 })).toEqual(['5', '5.25']);
  });

  test('behavior: close marks stay different', () => {
    const texts = axisTexts([12_500_000, 12_501_000, 12_502_000], { unit: 'USDC' });
    expect(texts).toEqual(['12.5M', '12.501M', '12.502M']);
    expect(axisTexts([7], { unit: '' })).toEqual(['7']);
  });
});

describe('axisTicks', () => {
  test('default: round marks within the range', () => {
    expect(axisTicks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(axisTicks(-3, 3, 3)).toEqual([-2, 0, 2]);
  });

  test('behavior: an empty range has one mark', () => {
    expect(axisTicks(5, 5, 5)).toEqual([5]);
  });
});

describe('valueRange', () => {
  test('default: padded, and from zero only if the data is near it', () => {
    expect(valueRange(100, 200, false)).toEqual([92, 208]);
    expect(valueRange(1, 101, false)).toEqual([0, 109]);
    expect(valueRange(10, 10, false)).toEqual([9.9, 10.1]);
    expect(valueRange(null, null, false)).toEqual([0, 1]);
  });

  test('default: a stack includes zero, above and below', () => {
    expect(valueRange(5, 100, true)).toEqual([0, 104]);
    expect(valueRange(-50, 100, true)).toEqual([-52, 104]);
    expect(valueRange(-50, -10, true)).toEqual([-52, 0]);
  });
});
