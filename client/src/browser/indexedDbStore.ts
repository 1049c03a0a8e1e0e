import type { Change, PaymentRecord, SpendState, SpendStore } from '../pay/store.ts';
import { failure } from '../wire/errors.ts';

/** Returns a spend store in IndexedDB, shared by all pages of the origin that use the same name. */
export function createIndexedDbStore(name = 'assay-spend'): SpendStore {
  let opened: Promise<IDBDatabase> | undefined;
  return { transact, getRecords };

  async function transact<Result>(
    change: (book: SpendState | undefined) => Change<Result>,
  ): Promise<Result> {
    const db = await open();
    // A readwrite transaction allows one change at a time across all pages.
    const transaction = db.transaction(['book', 'records'], 'readwrite', { durability: 'strict' });
    const [books, records] = [transaction.objectStore('book'), transaction.objectStore('records')];
    return new Promise((resolve, reject) => {
      let ended: { readonly result: Result } | { readonly error: unknown } | undefined;
      const asked = books.get('book') as IDBRequest<SpendState | undefined>;
      asked.onsuccess = () => {
        try {
          const { result, book, record } = change(asked.result);
          if (book) books.put(book, 'book');
          if (record) records.add(record);
          ended = { result };
        } catch (error) {
          ended = { error };
          transaction.abort();
        }
      };
      transaction.oncomplete = () => resolve((ended as { result: Result }).result);
      transaction.onabort = () => {
        reject(ended && 'error' in ended ? ended.error : unusable(transaction.error));
      };
    });
  }

  async function getRecords(): Promise<readonly PaymentRecord[]> {
    const db = await open();
    return new Promise((resolve, reject) => {
      const asked = db.transaction('records').objectStore('records').getAll();
      asked.onsuccess = () => resolve(asked.result as PaymentRecord[]);
      asked.onerror = () => reject(unusable(asked.error));
    });
  }

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise((resolve, reject) => {
      const asked = indexedDB.open(name, 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore('book');
        asked.result.createObjectStore('records', { autoIncrement: true });
      };
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(unusable(asked.error));
    });
    return opened;
  }
}

function unusable(cause: unknown) {
  return failure('store', 'The spend could not be stored in IndexedDB', {}, cause);
}
