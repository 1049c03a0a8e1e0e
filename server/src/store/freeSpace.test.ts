import { describe, expect, test } from 'vitest';
import { watchFreeSpace } from './freeSpace.ts';

describe('watchFreeSpace', () => {
  test('default: low below the minimum, enough only well above it', async () => {
    let free = 1_000;
    const changes: unknown[] = [];
    const space = await watchFreeSpace({
      minBytes: 1_000,
      read: async () => free,
      onChange: (change) => changes.push(change),
      everyMs: 1,
    });
    try {
      const first = space.low();
      expect([space.isLow(), first.aborted, space.bytes()]).toEqual([false, false, 1_000]);
      free = 999;
      await expect.poll(() => space.isLow()).toBe(true);
      expect(first.aborted).toBe(true);
      free = 1_249;
      await expect.poll(() => space.bytes()).toBe(1_249);
      expect(space.isLow()).toBe(true);
      const enough = space.untilEnough(new AbortController().signal);
      free = 1_250;
      await enough;
      expect([space.isLow(), space.low().aborted]).toEqual([false, false]);
      expect(changes).toEqual([
        { low: true, bytes: 999 },
        { low: false, bytes: 1_250 },
      ]);
    } finally {
      space.stop();
    }
  });

  test('behavior: an unreadable size is unknown, and changes nothing', async () => {
    let free: number | undefined;
    const space = await watchFreeSpace({
      minBytes: 1_000,
      async read() {
        if (free === undefined) throw new Error('no such folder');
        return free;
      },
      onChange: () => {},
      everyMs: 1,
    });
    try {
      expect([space.bytes(), space.isLow()]).toEqual([null, false]);
      free = 1;
      await expect.poll(() => space.isLow()).toBe(true);
      free = undefined;
      await expect.poll(() => space.bytes()).toBe(null);
      expect(space.isLow()).toBe(true);
    } finally {
      space.stop();
    }
  });

  test('behavior: the wait ends with its signal', async () => {
    const space = await watchFreeSpace({ minBytes: 1, read: async () => 0, onChange: () => {} });
    try {
      await space.untilEnough(AbortSignal.abort());
      expect(space.isLow()).toBe(true);
    } finally {
      space.stop();
    }
  });
});
