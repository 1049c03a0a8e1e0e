import { describe, expect, test } from 'vitest';
import { chartLine } from './chartLine.ts';
import { amountText, percentText, usdText } from './figureText.ts';

describe('amountText', () => {
  test.each([
    [12_500_000_999_999n, 6, '12,500,000 X'],
    [1_033_057n, 6, '1.033057 X'],
    [1_999_999_999_999_999_999n, 18, '1.999999 X'],
    [999_500_000n, 6, '999.5 X'],
    [0n, 6, '0 X'],
    [1n, 18, '< 0.000001 X'],
    [10n ** 30n, 0, '1,000,000,000,000,000,000,000,000,000,000 X'],
  ])('default: %d with %d decimals', (units, decimals, text) => {
    expect(amountText(units, decimals, 'X')).toBe(text);
  });
});

test('default: rates and values in USD', () => {
  expect([percentText(0.0781), percentText(-0.5)]).toEqual(['7.81%', '-50.00%']);
  expect([usdText(0.5), usdText(12_498_750.4)]).toEqual(['$0.5', '$12,498,750']);
});

describe('chartLine', () => {
  const at = (day: number) => new Date(day * 86_400_000).toISOString();
  const pathOf = (values: readonly bigint[]) =>
    chartLine(
      values.map((value, i) => ({ at: at(i), value })),
      'X',
    )?.text.match(/ d="([^"]*)"/)?.[1];

  test('default: from the lowest value to the highest', () => {
    expect(pathOf([10n ** 40n, 3n * 10n ** 40n, 2n * 10n ** 40n])).toBe(
      'M4.0,136.0L300.0,4.0L596.0,70.0',
    );
  });

  test('behavior: a constant value is a line in the middle', () => {
    expect(pathOf([5n, 5n])).toBe('M4.0,70.0L596.0,70.0');
  });

  test('behavior: too few points make no line', () => {
    expect([pathOf([]), pathOf([5n])]).toEqual([undefined, undefined]);
  });
});
