import type { PaymentRecord, SpendState, SpendStore } from './store.ts';

/**
 * Returns a spend store in memory. It is lost when the process ends, so its caps hold for one process only.
 *
 * @example
 * const store = createMemoryStore();
 * console.log((await store.getRecords()).length);
 */
export function createMemoryStore(): SpendStore {
  let book: SpendState | undefined;
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
