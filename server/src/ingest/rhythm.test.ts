import { describe, expect, test } from 'vitest';
import { createRhythm } from './rhythm.ts';

const POLL = 2;

/** Polls a chain with blocks at these seconds, until `seconds`; returns the times of the polls. */
function lookAt(blocks: readonly number[], seconds: number): number[] {
  let now = 0;
  const rhythm = createRhythm({ pollSeconds: POLL, clock: () => now * 1000 });
  const looks: number[] = [];
  while (now <= seconds) {
    looks.push(now);
    const number = blocks.findLastIndex((time) => time <= now);
    rhythm.seen({ number, hash: `0x${number}`, time: blocks[number]! });
    now += rhythm.pauseMs() / 1000;
  }
  return looks;
}

const every = (gap: number, until: number) =>
  Array.from({ length: Math.ceil(until / gap) }, (_, i) => i * gap);

describe('rhythm', () => {
  test('default: rare blocks need fewer polls, and are still seen in time', () => {
    const blocks = every(12, 1_200);
    const looks = lookAt(blocks, 1_199);
    // Two or three polls per block instead of six.
    expect(looks.length).toBeLessThan(3 * blocks.length);
    for (const block of blocks) {
      expect(looks.some((at) => at >= block && at < block + POLL + 1e-6)).toBe(true);
    }
  });

  test.each([0.25, 1, 2])('behavior: blocks every %d s are polled for every time', (gap) => {
    expect(lookAt(every(gap, 100), 99).length).toBe(50);
  });

  test('behavior: a chain without new blocks is polled less often, but at least every fifth time', () => {
    const looks = lookAt(every(2, 20), 1_000);
    const pauses = looks.slice(1).map((at, i) => at - looks[i]!);
    expect(Math.max(...pauses)).toBeCloseTo(5 * POLL);
    expect(looks.filter((at) => at > 120).length).toBeLessThanOrEqual(89);
    expect(looks.filter((at) => at <= 38).length).toBe(20);
  });

  test('behavior: a late block does not change the interval, and neither do old blocks', () => {
    const looks = lookAt([-100_000, -50_000, 1, 3, 5, 7, 60, 62, 64], 66);
    expect(looks.some((at) => at >= 62 && at < 64 + POLL)).toBe(true);
  });
});
