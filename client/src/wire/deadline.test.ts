import { describe, expect, test } from 'vitest';
import { startWaiting, stopWaiting } from './deadline.ts';

describe('startWaiting', () => {
  test('default: calls each when it is late, whatever the order in which they began', async () => {
    const called: string[] = [];
    await new Promise<void>((resolve) => {
      startWaiting(60, () => {
        called.push('last');
        resolve();
      });
      startWaiting(10, () => called.push('first'));
      const stopped = startWaiting(20, () => called.push('stopped'));
      startWaiting(30, () => called.push('second'));
      stopWaiting(stopped);
    });
    expect(called).toEqual(['first', 'second', 'last']);
  });

  test('behavior: who begins when one is late is not forgotten', async () => {
    await new Promise<void>((resolve) => {
      startWaiting(1, () => startWaiting(1, resolve));
    });
  });
});
