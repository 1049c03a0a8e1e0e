import { failure } from '../wire/errors.ts';
import type { Book, OpenPayment, PaymentRecord } from './store.ts';

/** What may be spent, in base units of the assets that are allowed. */
export interface Budget {
  /** For one answer. */
  readonly perCall: bigint;
  /** Ever, as long as the store lives. */
  readonly total: bigint;
  /** Ever, at each host. */
  readonly perHost?: bigint;
  /** In any stretch of so many seconds. */
  readonly perPeriod?: { readonly amount: bigint; readonly seconds: number };
}

export const EMPTY: Book = { version: 1, spent: '0', spentByHost: {}, recent: [], open: [] };

/** Stretches of `recent` that are told apart: what is older than they reach is counted as if it had been later. */
const MOST_STRETCHES = 256;
/** Stretches that a period is divided into. */
const PARTS = 60;
/** One payment is signed at most so often. */
export const MOST_SIGNATURES = 2;

/** The book with one more payment in it. Throws over_cap when a cap does not allow it. */
export function reserve(book: Book, payment: OpenPayment, budget: Budget, now: number): Book {
  const swept = sweep(book, now);
  check(swept, payment, BigInt(payment.amount), budget, now);
  return { ...swept, open: [...swept.open, payment] };
}

/** The book with room for another signature of a payment. Throws over_cap when a cap does not allow it. */
export function raise(
  book: Book,
  id: string,
  to: { readonly amount: bigint; readonly payTo: string; readonly validBefore: number },
  budget: Budget,
  now: number,
): Book | undefined {
  const payment = book.open.find((one) => one.id === id);
  if (payment?.state !== 'signed' || payment.signatures >= MOST_SIGNATURES) return undefined;
  const before = BigInt(payment.amount);
  // The chain takes one of the two: the larger is what can be lost.
  const amount = to.amount > before ? to.amount : before;
  check(without(book, id), payment, amount, budget, now);
  return replace(book, {
    ...payment,
    amount: `${amount}`,
    payTo: to.payTo,
    validBefore: Math.max(payment.validBefore, to.validBefore),
    signatures: payment.signatures + 1,
  });
}

/** The book with a payment in another state; undefined when it is not open any more. */
export function update(
  book: Book,
  id: string,
  changes: Partial<Pick<OpenPayment, 'state' | 'header' | 'signatures'>>,
): Book | undefined {
  const payment = book.open.find((one) => one.id === id);
  return payment && replace(book, { ...payment, ...changes });
}

/** The book without a payment that was never charged; undefined when it was signed anew since it was looked at. */
export function free(book: Book, payment: OpenPayment): Book | undefined {
  const now = book.open.find(({ id }) => id === payment.id);
  if (now?.signatures !== payment.signatures || now.header !== payment.header) return undefined;
  return without(book, payment.id);
}

/** The book with an open payment as money spent; undefined when it is not open any more. */
export function spend(book: Book, record: PaymentRecord, budget: Budget): Book | undefined {
  if (!book.open.some(({ id }) => id === record.id)) return undefined;
  const { amount, host, at } = record;
  const ofHost = BigInt(book.spentByHost[host] ?? 0) + BigInt(amount);
  return {
    ...without(book, record.id),
    spent: `${BigInt(book.spent) + BigInt(amount)}`,
    spentByHost: { ...book.spentByHost, [host]: `${ofHost}` },
    recent: addRecent(book.recent, at, amount, stretchOf(budget)),
  };
}

/** What is held back for payments that are open. */
export function reservedIn({ open }: Book, host?: string): bigint {
  return open
    .filter((one) => host === undefined || one.host === host)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Who reserved and died before anything of it was written down to be sent can have sent nothing. */
function sweep(book: Book, now: number): Book {
  const isAlive = (one: OpenPayment) => one.state !== 'reserved' || one.validBefore >= now;
  return { ...book, open: book.open.filter(isAlive) };
}

function check(
  book: Book,
  { host }: OpenPayment,
  asked: bigint,
  { perCall, perHost, perPeriod, total }: Budget,
  now: number,
): void {
  const held = reservedIn(book);
  limit('call', perCall, 0n);
  if (perPeriod) {
    const since = now - perPeriod.seconds;
    const inside = book.recent.filter(([, to]) => to > since);
    limit(
      'period',
      perPeriod.amount,
      held + inside.reduce((sum, [, , one]) => sum + BigInt(one), 0n),
    );
  }
  if (perHost !== undefined) {
    limit('host', perHost, BigInt(book.spentByHost[host] ?? 0) + reservedIn(book, host));
  }
  limit('total', total, BigInt(book.spent) + held);

  function limit(cap: 'call' | 'period' | 'host' | 'total', most: bigint, used: bigint): void {
    if (used + asked <= most) return;
    const words = `${host} asks for ${asked}, but the cap per ${cap} is ${most} with ${used} used`;
    throw failure('over_cap', words, { cap, limit: most, used, asked });
  }
}

function without(book: Book, id: string): Book {
  return { ...book, open: book.open.filter((one) => one.id !== id) };
}

function replace(book: Book, payment: OpenPayment): Book {
  return { ...book, open: book.open.map((one) => (one.id === payment.id ? payment : one)) };
}

function stretchOf({ perPeriod }: Budget): number {
  return perPeriod ? perPeriod.seconds / PARTS : 3_600;
}

function addRecent(
  recent: Book['recent'],
  at: number,
  amount: string,
  stretch: number,
): Book['recent'] {
  const last = recent.at(-1);
  if (last && at < last[0] + stretch) {
    const sum = `${BigInt(last[2]) + BigInt(amount)}`;
    return [...recent.slice(0, -1), [last[0], Math.max(last[1], at), sum]];
  }
  const [first, second, ...rest] = recent;
  if (recent.length < MOST_STRETCHES || !first || !second) return [...recent, [at, at, amount]];
  const merged = `${BigInt(first[2]) + BigInt(second[2])}`;
  return [[first[0], second[1], merged], ...rest, [at, at, amount]];
}
