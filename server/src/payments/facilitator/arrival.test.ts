import { describe, expect, test } from 'vitest';
import { createArrival } from './arrival.ts';

/** Returns how many of the next broadcasts go without a receipt request. */
function pause(arrival: ReturnType<typeof createArrival>): number {
  let count = 0;
  while (!arrival.shouldRequest()) count += 1;
  return count;
}

describe('arrival', () => {
  test('default: requests receipts while they arrive with the broadcast', () => {
    const arrival = createArrival();
    for (let i = 0; i < 3; i++) {
      expect(arrival.shouldRequest()).toBe(true);
      arrival.record(true);
    }
  });

  test('behavior: requests ever more rarely without success, and always after a receipt arrived', () => {
    const arrival = createArrival();
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      pauses.push(pause(arrival));
      arrival.record(false);
    }
    expect(pauses).toEqual([0, 1, 3, 7, 15, 31, 63, 64, 64]);
    expect(pause(arrival)).toBe(64);
    arrival.record(true);
    expect(pause(arrival)).toBe(0);
  });
});
