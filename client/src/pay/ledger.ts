import { type Budget, EMPTY, free, raise, reserve, spend, update } from './book.ts';
import type { Book, OpenPayment, PaymentRecord, SpendStore } from './store.ts';

/** The book in its store, in the words of a purchase. Everything is durable when its promise resolves. */
export interface Ledger {
  getOpen(): Promise<readonly OpenPayment[]>;
  /** Throws over_cap. */
  reserve(payment: OpenPayment): Promise<void>;
  /** Undefined when it may not be signed once more. Throws over_cap. */
  raise(id: string, to: Parameters<typeof raise>[2]): Promise<OpenPayment | undefined>;
  /** The payment with what will be sent; undefined when its time was over, and it must not be. */
  signed(id: string, header: string): Promise<OpenPayment | undefined>;
  doubted(id: string): Promise<void>;
  /** Nothing was charged, nor can it be: for the payment as it was looked at. */
  freed(payment: OpenPayment): Promise<void>;
  spent(record: PaymentRecord): Promise<void>;
}

export function createLedger(store: SpendStore, budget: Budget, now: () => number): Ledger {
  return {
    getOpen: () => store.transact((book = EMPTY) => ({ result: book.open })),
    reserve: (payment) =>
      store.transact((book = EMPTY) => ({
        result: undefined,
        book: reserve(book, payment, budget, now()),
      })),
    raise: (id, to) =>
      store.transact((book = EMPTY) => found(raise(book, id, to, budget, now()), id)),
    signed: (id, header) =>
      store.transact((book = EMPTY) => found(update(book, id, { state: 'signed', header }), id)),
    doubted: (id) =>
      store.transact((book = EMPTY) => changed(update(book, id, { state: 'doubtful' }))),
    freed: (payment) => store.transact((book = EMPTY) => changed(free(book, payment))),
    spent: (record) =>
      store.transact((book = EMPTY) => {
        const after = spend(book, record, budget);
        return { ...changed(after), ...(after && { record }) };
      }),
  };
}

function found(book: Book | undefined, id: string) {
  const result = book?.open.find((one) => one.id === id);
  return { result, ...(book && { book }) };
}

function changed(book: Book | undefined) {
  return { result: undefined, ...(book && { book }) };
}
