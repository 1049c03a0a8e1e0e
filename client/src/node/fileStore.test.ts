import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY } from '../pay/book.ts';
import type { PaymentRecord, SpendState, SpendStore } from '../pay/store.ts';
import { createFileStore } from './fileStore.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'assay-spend-')), 'spend');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true, maxRetries: 20 }));

const record = (id: string, at = 0) => ({ id, at }) as PaymentRecord;

function add(store: SpendStore, amount: bigint, recorded?: PaymentRecord): Promise<bigint> {
  return store.transact((book = EMPTY) => {
    const result = BigInt(book.spent) + amount;
    return {
      result,
      book: { ...book, spent: `${result}` },
      ...(recorded && { record: recorded }),
    };
  });
}

const spentIn = (store: SpendStore) =>
  store.transact((book: SpendState | undefined) => ({ result: book?.spent }));

describe('createFileStore', () => {
  test('default: the next process reads the stored state', async () => {
    const store = createFileStore(folder);
    expect(await spentIn(store)).toBe(undefined);
    expect(await store.getRecords()).toEqual([]);
    expect(await add(store, 5n, record('a'))).toBe(5n);
    const next = createFileStore(folder);
    expect(await add(next, 2n)).toBe(7n);
    expect(await spentIn(store)).toBe('7');
    expect(await store.getRecords()).toEqual([record('a')]);
  });

  test('behavior: other users cannot read it', async () => {
    await add(createFileStore(folder), 1n);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    }
  });

  test('behavior: concurrent changes are each counted once', async () => {
    const stores = [1, 2, 3].map(() => createFileStore(folder));
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => add(stores[i % 3]!, 1n, record(`${i}`, i))),
    );
    expect(await spentIn(stores[0]!)).toBe('30');
    const records = await stores[1]!.getRecords();
    expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => `${i}`));
  });

  test('behavior: a change that throws writes nothing', async () => {
    const store = createFileStore(folder);
    await add(store, 1n);
    const failing = store.transact(() => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await spentIn(store)).toBe('1');
  });

  test('behavior: old pages and abandoned drafts are deleted, the newest page never', async () => {
    const store = createFileStore(folder);
    for (let i = 0; i < 15; i++) await add(store, 1n);
    await writeFile(join(folder, 'draft-dead'), '');
    const hourAgo = Date.now() / 1000 - 3_600;
    for (const name of await readdir(folder)) await utimes(join(folder, name), hourAgo, hourAgo);
    for (let i = 0; i < 2; i++) await add(store, 1n);
    expect((await readdir(folder)).sort()).toEqual(['book-16.json', 'book-17.json']);
    expect(await spentIn(store)).toBe('17');
  });

  test.each(['{"book":', '{"records":[]}'])(
    'error: the page %s is not an empty state',
    async (page) => {
      const store = createFileStore(folder);
      await add(store, 1n);
      await writeFile(join(folder, 'book-2.json'), page);
      await expect(add(store, 1n)).rejects.toMatchObject({ type: 'store' });
      await expect(store.getRecords()).rejects.toMatchObject({ type: 'store' });
    },
  );

  test('error: a folder that is not writable', async () => {
    await writeFile(folder, '');
    await expect(add(createFileStore(folder), 1n)).rejects.toMatchObject({ type: 'store' });
  });
});
