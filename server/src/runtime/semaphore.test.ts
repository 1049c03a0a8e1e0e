import { describe, expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

describe('createSemaphore', () => {
  async function orderOf(atOnce: number): Promise<string[]> {
    const semaphore = createSemaphore({ atOnce });
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        semaphore.run(async () => {
          order.push(`${name} starts`);
          await Promise.resolve();
          order.push(`${name} ends`);
        }),
      ),
    );
    return order;
  }

  test('default', async () => {
    expect(await orderOf(1)).toEqual([
      'a starts',
      'a ends',
      'b starts',
      'b ends',
      'c starts',
      'c ends',
    ]);
  });

  test('behavior: several at once', async () => {
    expect((await orderOf(2)).slice(0, 3)).toEqual(['a starts', 'b starts', 'a ends']);
  });

  test('behavior: a failed task makes room for the next', async () => {
    const semaphore = createSemaphore({ atOnce: 1 });
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(() => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(semaphore.waiting).toBe(0);
  });

  test('error: work that waits for itself times out', async () => {
    const timeout = { ms: 10, error: () => new Error('busy') };
    const semaphore = createSemaphore({ atOnce: 1, timeout });
    const outer = semaphore.run(() => semaphore.run(() => Promise.resolve('never')));
    await expect(outer).rejects.toThrow('busy');
    expect(await semaphore.run(() => Promise.resolve('again'))).toBe('again');
  });
});
