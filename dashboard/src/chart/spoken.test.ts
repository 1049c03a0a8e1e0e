import { describe, expect, test } from 'vitest';
import { momentText } from '../format/time.ts';
import { summaryOf, valueText } from './spoken.ts';

const line = (label: string, values: readonly (number | null)[]) => ({
  label,
  values,
  format: (value: number) => `${value} USDC`,
});
const times = [0, 3_600, 7_200];
const [start, end] = [momentText(0), momentText(7_200_000)];

describe('screen reader text', () => {
  test('default: first, last, lowest, and highest value', () => {
    expect(summaryOf({ times, lines: [line('TVL', [5, 2, 9])] })).toBe(
      `${start} to ${end}. TVL went from 5 USDC to 9 USDC, lowest 2 USDC, highest 9 USDC.`,
    );
    expect(valueText({ times, lines: [line('a', [1, 2, 3]), line('b', [4, 5, 6])] }, 2)).toBe(
      `${end}: a 3 USDC, b 6 USDC.`,
    );
  });

  test('behavior: an unknown value is never zero', () => {
    expect(summaryOf({ times, lines: [line('TVL', [null, 2, null])] })).toContain(
      'from 2 USDC to 2',
    );
    expect(summaryOf({ times, lines: [line('TVL', [null, null, null])] })).toContain(
      'TVL is unknown.',
    );
    expect(valueText({ times, lines: [line('TVL', [null, 2, null])] }, 0)).toContain(
      'TVL unknown.',
    );
    expect(summaryOf({ times: [], lines: [] })).toBe('');
  });
});
