import type { Book, PaymentRecord, SpendStore } from './store.ts';

/** Spend that is forgotten with this process: for tries, and where another store would be of no use. */
export function createMemoryStore(): SpendStore {
  let book: Book | undefined;
  const records: PaymentRecord[] = [];
  return {
    async transact(change) {
      const { result, book: next, record } = change(book);
      if (next) book = next;
      if (record) records.push(record);
      return result;
    },
    getRecords: async () => [...records],
  };
}
