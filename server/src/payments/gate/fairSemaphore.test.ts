import { describe, expect, test } from 'vitest';
import { Crowded, createFairSemaphore, type Pace } from './fairSemaphore.ts';

/** Clients in the order of their turns, and those that were rejected. */
function open(options: { atOnce?: number; maxWaiting: number; pace?: Pace }) {
  const semaphore = createFairSemaphore({ atOnce: 1, ...options });
  const started: string[] = [];
  const dropped: string[] = [];
  const ends: (() => void)[] = [];
  const send = (client: string) =>
    semaphore
      .run(client, () => {
        started.push(client);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(Crowded);
        dropped.push(client);
      });
  return { send, started, dropped, endOne: () => ends.shift()!() };
}

const settled = () => new Promise(setImmediate);

describe('fairSemaphore', () => {
  test('default: clients take turns', async () => {
    const { send, started, endOne } = open({ maxWaiting: 10 });
    for (const client of ['a', 'a', 'a', 'b', 'c']) send(client);
    for (let i = 0; i < 5; i++) {
      await settled();
      endOne();
    }
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a']);
  });

  test('behavior: on a tie the newest is rejected, not the next in turn', async () => {
    const { send, started, dropped, endOne } = open({ maxWaiting: 3 });
    for (const client of ['running', 'next', 'b', 'c', 'newest']) send(client);
    await settled();
    expect(dropped).toEqual(['newest']);
    endOne();
    await settled();
    expect(started).toEqual(['running', 'next']);
  });

  test('behavior: the client with the most waiting loses its newest', async () => {
    const { send, dropped } = open({ maxWaiting: 3 });
    for (const client of ['running', 'next', 'flood', 'flood', 'newest', 'other']) send(client);
    await settled();
    // With one pending request each, the last to arrive is rejected.
    expect(dropped).toEqual(['flood', 'other']);
  });

  test('behavior: with a pace, work waits for its start even if nothing runs', async () => {
    let left = 2;
    const pace = { take: () => left > 0 && left-- > 0, everyMs: 1 };
    const { send, started, dropped } = open({ atOnce: 8, maxWaiting: 2, pace });
    for (const client of ['a', 'a', 'flood', 'b', 'flood']) send(client);
    await settled();
    expect(started).toEqual(['a', 'a']);
    expect(dropped).toEqual(['flood']);
    left = 2;
    await expect.poll(() => started).toEqual(['a', 'a', 'flood', 'b']);
  });
});
