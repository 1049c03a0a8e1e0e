import { describe, expect, test } from 'vitest';
import { createCallBudget } from './callBudget.ts';

const HOUR_MS = 3_600_000;

function open(callsPerDay: number | undefined) {
  const state = { now: 0, used: 100 };
  const budget = createCallBudget({
    callsPerDay,
    total: () => state.used,
    clock: () => state.now,
  });
  return { state, budget };
}

describe('callBudget', () => {
  test('default: half of an hour’s calls at once, then the hourly rate', () => {
    const { state, budget } = open(24_000);
    let read = 0;
    for (; state.now < 10 * HOUR_MS; state.now += 1_000) {
      while (budget.hasRoom()) {
        state.used += 10;
        read += 10;
      }
    }
    expect(read).toBeGreaterThanOrEqual(500 + 10_000 - 20);
    expect(read).toBeLessThanOrEqual(500 + 10_000 + 20);
  });

  test('behavior: calls of other processes reduce the backfill', () => {
    const { state, budget } = open(24_000);
    let read = 0;
    for (; state.now < 10 * HOUR_MS; state.now += 1_000) {
      // These calls exceed the entire budget but are never stopped.
      state.used += 1;
      while (budget.hasRoom()) {
        state.used += 10;
        read += 10;
      }
    }
    expect(read).toBeLessThanOrEqual(510);
  });

  test('behavior: without a limit there is always room', () => {
    const { state, budget } = open(undefined);
    state.used = 1e9;
    expect(budget.hasRoom()).toBe(true);
  });
});
