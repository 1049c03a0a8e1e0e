import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProviderClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createProviderClock', () => {
  test.each([1, 100])('default: %d times as fast', async (speed) => {
    const start = Date.now() / 1000;
    const clock = createProviderClock(speed);
    expect(clock.now()).toBeCloseTo(start, 3);
    let isAwake = false;
    void clock.sleep(30).then(() => {
      isAwake = true;
    });
    await vi.advanceTimersByTimeAsync(30_000 / speed - 1);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isAwake).toBe(true);
    expect(clock.now()).toBeCloseTo(start + 30, 3);
  });
});
