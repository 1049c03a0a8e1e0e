import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Book, Change, PaymentRecord, SpendStore } from '../pay/store.ts';
import { failure, isAssayError } from '../wire/errors.ts';

/**
 * Spend in a folder, shared by every process that is given the same one. Each change is a file of its own, named by its
 * number, that is whole before it has its name; who comes second to a number reads anew. So there is no lock that a
 * killed process could leave behind.
 */
export function createFileStore(folder: string): SpendStore {
  let made: Promise<unknown> | undefined;
  return {
    transact: (change) => guarded(() => transact(change)),
    getRecords: () => guarded(getRecords),
  };

  async function transact<Result>(
    change: (book: Book | undefined) => Change<Result>,
  ): Promise<Result> {
    made ??= mkdir(folder, { recursive: true, mode: 0o700 });
    await made;
    for (;;) {
      const readAt = Date.now();
      const { number, page } = await readNewest();
      const { result, book, record } = change(page.book);
      if (!book) return result;
      const filed = await file(number, page.records);
      const next: Page = { book, records: record ? [...filed, record] : filed };
      if (!(await writeNew(pageName(number + 1), next))) continue;
      if (Math.abs(Date.now() - readAt) > MOST_PAUSE_MS) throw interrupted();
      if (number % FORGET_EVERY === 0) await forgetOld(number + 1);
      return result;
    }
  }

  async function getRecords(): Promise<readonly PaymentRecord[]> {
    const { names, page } = await readNewest();
    const filed = await Promise.all(
      names.filter((name) => RECORDS.test(name)).map((name) => read<PaymentRecord[]>(name)),
    );
    // A page that was given up may have left a copy.
    return [
      ...new Map([...filed.flat(), ...page.records].map((one) => [one.id, one])).values(),
    ].sort((a, b) => a.at - b.at);
  }

  async function readNewest() {
    for (;;) {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [] as string[];
        throw error;
      });
      const number = Math.max(0, ...names.map((name) => Number(PAGE.exec(name)?.[1] ?? 0)));
      if (number === 0) return { number, names, page: EMPTY };
      try {
        return { number, names, page: await read<Page>(pageName(number)) };
      } catch (error) {
        // Somebody went on meanwhile, and forgot it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Puts records in a file of their own when the page has many; those that stay on the page. */
  async function file(number: number, records: readonly PaymentRecord[]) {
    if (records.length < MOST_ON_PAGE) return records;
    await writeNew(`records-${number}.json`, records);
    return [];
  }

  /** False when there is a file of that name already. */
  async function writeNew(name: string, value: unknown): Promise<boolean> {
    const draft = join(folder, `draft-${randomUUID()}`);
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(value));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await link(draft, join(folder, name));
      await syncFolder();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function syncFolder(): Promise<void> {
    // Windows has no such thing.
    if (process.platform === 'win32') return;
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** By the time of the newest, both told by the same file system. */
  async function forgetOld(newest: number): Promise<void> {
    const { mtimeMs: now } = await stat(join(folder, pageName(newest)));
    for (const name of await readdir(folder)) {
      const number = Number(PAGE.exec(name)?.[1] ?? newest);
      if (number >= newest && !name.startsWith('draft-')) continue;
      const path = join(folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
      if (now - mtimeMs > FORGET_AFTER_MS) await rm(path, { force: true });
    }
  }

  async function read<Value>(name: string): Promise<Value> {
    return JSON.parse(await readFile(join(folder, name), 'utf8')) as Value;
  }
}

interface Page {
  readonly book?: Book;
  /** The newest; older ones have files of their own. */
  readonly records: readonly PaymentRecord[];
}

const EMPTY: Page = { records: [] };
const PAGE = /^book-(\d+)\.json$/;
const RECORDS = /^records-\d+\.json$/;
const MOST_ON_PAGE = 8;
/** A name that was taken is never free again within the time in which somebody may still want to take it. */
const FORGET_AFTER_MS = 60_000;
const FORGET_EVERY = 16;
const MOST_PAUSE_MS = 30_000;

function pageName(number: number): string {
  return `book-${number}.json`;
}

/** The machine slept in the middle of a change: whether it counts cannot be told. What is reserved stays so. */
function interrupted() {
  return failure('store', 'keeping the spend took too long to be sure of it; try again', {});
}

async function guarded<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isAssayError(error)) throw error;
    throw failure('store', `the spend cannot be kept: ${(error as Error).message}`, {}, error);
  }
}
