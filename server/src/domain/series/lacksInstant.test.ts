import { describe, expect, test } from 'vitest';
import { lacksInstant } from './lacksInstant.ts';

describe('lacksInstant', () => {
  test('default: an instant of the grid lies in the gap, after the newest data point', () => {
    expect(lacksInstant({ fromTime: 650, toTime: 1_000 }, 600, 300)).toBe(true);
    expect(lacksInstant({ fromTime: 650, toTime: 900 }, 600, 300)).toBe(true);
  });

  test('behavior: a gap between two instants lacks no instant', () => {
    expect(lacksInstant({ fromTime: 650, toTime: 899 }, 600, 300)).toBe(false);
    // A timestamp belongs to the gap that ends with it, not to one that starts there.
    expect(lacksInstant({ fromTime: 900, toTime: 1_199 }, 600, 300)).toBe(false);
  });

  test('behavior: with a data point inside or after the gap, only later instants count', () => {
    expect(lacksInstant({ fromTime: 650, toTime: 1_000 }, 900, 300)).toBe(false);
    expect(lacksInstant({ fromTime: 650, toTime: 1_000 }, 1_200, 300)).toBe(false);
    expect(lacksInstant({ fromTime: 650, toTime: 1_300 }, 900, 300)).toBe(true);
  });
});
