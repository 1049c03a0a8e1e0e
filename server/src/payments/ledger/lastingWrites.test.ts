import { describe, expect, test } from 'vitest';
import { createLastingWrites } from './lastingWrites.ts';

describe('lasting writes', () => {
  test('default: repeated until it is done, and reported once', async () => {
    const errors: unknown[] = [];
    const writes = createLastingWrites({ onError: (error) => void errors.push(error) });
    let tries = 0;
    await writes.add(async () => {
      if (++tries < 4) throw new Error('the database is gone');
    });
    expect(tries).toBe(4);
    expect(errors.length).toBe(1);
    await writes.close();
  });

  test('behavior: at the end each is tried once more, and abandoned', async () => {
    const errors: unknown[] = [];
    const writes = createLastingWrites({ onError: (error) => void errors.push(error) });
    let [failing, healed] = [0, 0];
    const given = writes.add(async () => {
      failing++;
      throw new Error('the database is gone');
    });
    const done = writes.add(async () => {
      if (healed++ === 0) throw new Error('the database is gone');
    });
    await expect.poll(() => errors.length).toBe(2);
    await writes.close();
    await Promise.all([given, done]);
    expect(failing).toBeGreaterThan(1);
    expect(healed).toBe(2);
    expect(errors.length).toBe(3);
  });
});
