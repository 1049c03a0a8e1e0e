import { describe, expect, test } from 'vitest';
import { createArrival } from './arrival.ts';

/** How many of the next broadcasts go without the question. */
function pause(arrival: ReturnType<typeof createArrival>): number {
  let count = 0;
  while (!arrival.ask()) count += 1;
  return count;
}

describe('arrival', () => {
  test('default: asked while receipts come at once', () => {
    const arrival = createArrival();
    for (let i = 0; i < 3; i++) {
      expect(arrival.ask()).toBe(true);
      arrival.saw(true);
    }
  });

  test('behavior: asked ever more rarely in vain, and again as soon as one comes', () => {
    const arrival = createArrival();
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      pauses.push(pause(arrival));
      arrival.saw(false);
    }
    expect(pauses).toEqual([0, 1, 3, 7, 15, 31, 63, 64, 64]);
    expect(pause(arrival)).toBe(64);
    arrival.saw(true);
    expect(pause(arrival)).toBe(0);
  });
});
