import {
  type Asked,
  answered,
  type Budget,
  findEarlier,
  free,
  raise,
  readBook,
  reserve,
  spend,
  update,
} from './book.ts';
import type { CallLimits } from './call.ts';
import type { Change, OpenPayment, PaymentRecord, SpendState, SpendStore } from './store.ts';

/** The spend state in its store. Every change is durable when its promise resolves. */
export interface Ledger {
  getOpen(): Promise<readonly OpenPayment[]>;
  /** Returns the payment for the same request that must be resolved first, unless the caller replaces it. */
  findEarlier(of: Asked, replaces: string | undefined): Promise<OpenPayment | undefined>;
  /** Returns false if there is another payment for the same request. Throws `over_cap`. */
  reserve(payment: OpenPayment, limits: CallLimits): Promise<boolean>;
  /** Returns or throws what `reserve` would, without reserving. */
  canReserve(payment: OpenPayment, limits: CallLimits): Promise<boolean>;
  /** Returns undefined if the payment may not be signed again. Throws `over_cap`. */
  raise(
    id: string,
    to: Parameters<typeof raise>[2],
    limits: CallLimits,
  ): Promise<OpenPayment | undefined>;
  /** Returns the payment with the header to send; undefined if it expired and must not be sent. */
  signed(id: string, header: string): Promise<OpenPayment | undefined>;
  doubted(id: string): Promise<boolean>;
  /** Removes a payment that was not and cannot be charged, unless it changed since it was checked. */
  freed(payment: OpenPayment): Promise<boolean>;
  spent(record: PaymentRecord): Promise<boolean>;
  /** Records the late response of a charged payment. */
  answered(id: string): Promise<boolean>;
}

export function createLedger(store: SpendStore, budget: Budget, now: () => number): Ledger {
  const transact = <Result>(change: (book: SpendState) => Change<Result>) =>
    store.transact((found) => change(readBook(found)));
  const reserved = (book: SpendState, payment: OpenPayment, limits: CallLimits) =>
    reserve(book, payment, budgetFor(limits), now(), limits.replaces);
  return {
    getOpen: () => transact((book) => ({ result: book.open })),
    findEarlier: (of, replaces) =>
      transact((book) => ({ result: findEarlier(book, of, replaces) })),
    reserve: (payment, limits) => transact((book) => changed(reserved(book, payment, limits))),
    canReserve: (payment, limits) =>
      transact((book) => ({ result: reserved(book, payment, limits) !== undefined })),
    raise: (id, to, limits) =>
      transact((book) => found(raise(book, id, to, budgetFor(limits), now()), id)),
    signed: (id, header) =>
      transact((book) => found(update(book, id, { state: 'signed', header }), id)),
    doubted: (id) => transact((book) => changed(update(book, id, { state: 'doubtful' }))),
    freed: (payment) => transact((book) => changed(free(book, payment))),
    spent: (record) =>
      transact((book) => {
        const after = spend(book, record, budget);
        return { ...changed(after), ...(after && { record }) };
      }),
    answered: (id) => transact((book) => changed(answered(book, id))),
  };

  function budgetFor({ maxAmount = budget.perCall }: CallLimits): Budget {
    return maxAmount < budget.perCall ? { ...budget, perCall: maxAmount } : budget;
  }
}

function found(book: SpendState | undefined, id: string) {
  const result = book?.open.find((one) => one.id === id);
  return { result, ...(book && { book }) };
}

function changed(book: SpendState | undefined) {
  return { result: book !== undefined, ...(book && { book }) };
}
