import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change, PaymentRecord, SpendState, SpendStore } from '../pay/store.ts';
import { failure, isAssayError } from '../wire/errors.ts';

/**
 * Returns a spend store in a folder, shared by all processes that use the same folder. Each change is a separate file,
 * complete before it gets its number as a name. A process that finds the number taken reads again, so no lock is left
 * behind when a process is killed.
 *
 * @example
 * const store = createFileStore('.assay/spend');
 * console.log((await store.getRecords()).length);
 */
export function createFileStore(folder: string): SpendStore {
  let made: Promise<unknown> | undefined;
  return {
    transact: (change) => guarded(() => transact(change)),
    getRecords: () => guarded(getRecords),
  };

  async function transact<Result>(
    change: (book: SpendState | undefined) => Change<Result>,
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
      if (Math.abs(Date.now() - readAt) > MAX_PAUSE_MS) throw interrupted();
      if (number % FORGET_EVERY === 0) await forgetOld(number + 1);
      return result;
    }
  }

  async function getRecords(): Promise<readonly PaymentRecord[]> {
    const { names, page } = await readNewest();
    const filed = await Promise.all(
      names.filter((name) => RECORDS.test(name)).map((name) => read<PaymentRecord[]>(name)),
    );
    // An abandoned page can have left a copy.
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
        const page = await read<Page>(pageName(number));
        if (!page.book) throw new Error(`${pageName(number)} has no spend state`);
        return { number, names, page };
      } catch (error) {
        // Another process wrote newer pages and deleted this one.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Moves records to a separate file if the page has many. Returns the records that stay on the page. */
  async function file(number: number, records: readonly PaymentRecord[]) {
    if (records.length < MAX_ON_PAGE) return records;
    await writeNew(`records-${number}.json`, records);
    return [];
  }

  /** Returns false if the file already exists. */
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
    // Windows cannot sync a folder.
    if (process.platform === 'win32') return;
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Deletes old pages. Compares file times from the same file system, not with this machine's clock. */
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
  readonly book?: SpendState;
  /** The newest records; older ones are in separate files. */
  readonly records: readonly PaymentRecord[];
}

const EMPTY: Page = { records: [] };
const PAGE = /^book-(\d+)\.json$/;
const RECORDS = /^records-\d+\.json$/;
const MAX_ON_PAGE = 8;
/** Longer than any change can take, so that no process can use a deleted page's number again. */
const FORGET_AFTER_MS = 60_000;
const FORGET_EVERY = 16;
const MAX_PAUSE_MS = 30_000;

function pageName(number: number): string {
  return `book-${number}.json`;
}

/** The machine slept during a change, so its result is unknown. Reservations stay. */
function interrupted() {
  return failure(
    'store',
    'Storing the spend took too long, so its result is unknown; try again',
    {},
  );
}

async function guarded<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isAssayError(error)) throw error;
    throw failure('store', `The spend could not be stored: ${(error as Error).message}`, {}, error);
  }
}
