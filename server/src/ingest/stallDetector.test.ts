import { describe, expect, test } from 'vitest';
import type { ChainClient, Header } from '../chain/chainClient.ts';
import { createStallDetector, stallText } from './stallDetector.ts';

const START = 1_790_000_000;

/** A chain whose blocks have these times, from block 1 on. */
function chainOf(times: readonly number[]) {
  const header = (number: number): Header | null => {
    const time = number === 0 ? 0 : times[number - 1];
    if (time === undefined) return null;
    return { number, time, hash: `0x${number}`, parentHash: `0x${number - 1}` };
  };
  let asked = 0;
  const client = {
    async headers(numbers: readonly number[]) {
      asked++;
      return numbers.map(header);
    },
  } as unknown as ChainClient;
  return { client, head: header(times.length)!, asked: () => asked };
}

const every = (seconds: number, blocks: number) =>
  Array.from({ length: blocks }, (_, i) => START + seconds * i);

describe('createStallDetector', () => {
  const options = { pollSeconds: 2, lastError: null };

  test('default', async () => {
    const { client, head, asked } = chainOf(every(2, 100));
    const detector = createStallDetector(options);
    const after = (seconds: number) => detector.check(client, head, head.time + seconds);
    expect(await after(1)).toBe(false);
    expect(await after(301)).toBe(false);
    expect(asked()).toBe(0);
    expect(await after(302)).toBe(true);
    expect(await after(303)).toBe(true);
    expect(asked()).toBe(1);
  });

  test('behavior: a chain with rare blocks has a longer timeout', async () => {
    const { client, head } = chainOf(every(3600, 20));
    const detector = createStallDetector(options);
    const after = (seconds: number) => detector.check(client, head, head.time + seconds);
    await after(0);
    expect(await after(7200)).toBe(false);
    expect(await after(7201)).toBe(true);
  });

  test('behavior: old pauses and the genesis block do not extend the timeout', async () => {
    for (const times of [[START - 90_000, ...every(2, 65)], every(2, 3)]) {
      const { client, head } = chainOf(times);
      const detector = createStallDetector(options);
      await detector.check(client, head, head.time);
      expect(await detector.check(client, head, head.time + 301)).toBe(true);
    }
  });

  test('behavior: a chain whose clock is behind has not stalled', async () => {
    const detector = createStallDetector(options);
    const now = START + 86_400;
    for (let blocks = 1; blocks < 10; blocks++) {
      const { client, head } = chainOf(every(200, blocks));
      for (const seconds of [0, 100]) {
        expect(await detector.check(client, head, now + 200 * blocks + seconds)).toBe(false);
      }
    }
  });

  test('behavior: a long poll interval extends the timeout', async () => {
    const { client, head } = chainOf(every(2, 100));
    const detector = createStallDetector({ ...options, pollSeconds: 60 });
    await detector.check(client, head, head.time);
    expect(await detector.check(client, head, head.time + 1800)).toBe(false);
    expect(await detector.check(client, head, head.time + 1801)).toBe(true);
  });

  test('behavior: after a restart, a chain that had stalled is still stalled', async () => {
    const { client, head } = chainOf(every(2, 100));
    const now = head.time + 3600;
    const knowing = createStallDetector({ ...options, lastError: stallText(head) });
    expect(await knowing.check(client, head, now)).toBe(true);
    const unknowing = createStallDetector({
      ...options,
      lastError: 'rpc 1 did not answer in time',
    });
    expect(await unknowing.check(client, head, now)).toBe(false);
  });
});
