import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from './storeUnavailable.ts';
import { createTurns } from './turns.ts';

describe('createTurns', () => {
  test('default', async () => {
    const turns = createTurns(60_000);
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        turns.take(async () => {
          order.push(`${name} starts`);
          await Promise.resolve();
          order.push(`${name} ends`);
        }),
      ),
    );
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  test('behavior: a failed turn passes on', async () => {
    const turns = createTurns(60_000);
    const failed = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(turns.waiting).toBe(0);
  });

  test('error: who waits for himself is told', async () => {
    const turns = createTurns(10);
    const outer = turns.take(() => turns.take(() => Promise.resolve('never')));
    await expect(outer).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await turns.take(() => Promise.resolve('again'))).toBe('again');
  });
});
