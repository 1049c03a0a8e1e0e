import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWaiting, stopWaiting } from './deadline.ts';

describe('startWaiting', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('default: each deadline fires, regardless of the order in which they started', () => {
    const called: string[] = [];
    startWaiting(60, () => called.push('last'));
    startWaiting(10, () => called.push('first'));
    const stopped = startWaiting(20, () => called.push('stopped'));
    startWaiting(30, () => called.push('second'));
    stopWaiting(stopped);
    vi.advanceTimersByTime(29);
    expect(called).toEqual(['first']);
    vi.advanceTimersByTime(30);
    expect(called).toEqual(['first', 'second']);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['first', 'second', 'last']);
  });

  test('behavior: a deadline that starts while another fires is not lost', () => {
    let isLate = false;
    startWaiting(1, () =>
      startWaiting(1, () => {
        isLate = true;
      }),
    );
    vi.advanceTimersByTime(2);
    expect(isLate).toBe(true);
  });
});
