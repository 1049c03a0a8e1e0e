import { failure } from '../wire/errors.ts';
import type { OpenPayment, PaymentRecord, SpendState } from './store.ts';

/** Spending caps, in base units of the allowed assets. */
export interface Budget {
  /** Maximum for one call. */
  readonly perCall: bigint;
  /** Maximum over the lifetime of the store. */
  readonly total: bigint;
  /** Maximum per host over the lifetime of the store. */
  readonly perHost?: bigint;
  /** Maximum within any period of this length. */
  readonly perPeriod?: { readonly amount: bigint; readonly seconds: number };
}

/** Returns the store's state, or an empty one. Throws `store` if a newer version wrote it, which can have other caps. */
export function readBook(book: SpendState | undefined): SpendState {
  if (book === undefined) return EMPTY;
  if (book.version === 1) return book;
  const text = 'The spend store was written by a newer version of this package; update it';
  throw failure('store', text, {});
}

export const EMPTY: SpendState = { version: 1, spent: '0', spentByHost: {}, recent: [], open: [] };

/** Maximum number of time buckets in `recent`. Older spending is counted as if it were later. */
const MAX_BUCKETS = 256;
/** Time buckets per period. */
const PARTS = 60;

/**
 * Returns the state with one more payment; undefined while another payment for the same request is open or unanswered.
 * Throws `over_cap` if it exceeds a cap.
 */
export function reserve(
  book: SpendState,
  payment: OpenPayment,
  budget: Budget,
  now: number,
  replaces?: string,
): SpendState | undefined {
  const swept = replace(sweep(book, now), payment, replaces);
  if (findEarlier(swept, payment)) return undefined;
  check(swept, payment, BigInt(payment.amount), budget, now);
  return { ...swept, open: [...swept.open, payment] };
}

/** Identifies a request. */
export type Asked = Pick<OpenPayment, 'url' | 'request' | 'payer'>;

/** Returns the payment for the same request that must be resolved before a new one is signed. */
export function findEarlier(
  { open, unanswered = [] }: SpendState,
  asked: Asked,
  replaces?: string,
): OpenPayment | undefined {
  const isSame = (one: OpenPayment) =>
    isSameRequest(one, asked) && !one.replaced && one.id !== replaces;
  return open.find(isSame) ?? unanswered.find(isSame);
}

function isSameRequest(one: Asked, { url, request, payer }: Asked): boolean {
  return one.url === url && one.request === request && one.payer === payer;
}

/** Returns the state with room for another signature of a payment. Throws `over_cap` if it exceeds a cap. */
export function raise(
  book: SpendState,
  id: string,
  to: { readonly amount: bigint; readonly payTo: string; readonly validBefore: number },
  budget: Budget,
  now: number,
): SpendState | undefined {
  const payment = book.open.find((one) => one.id === id);
  if (payment === undefined || payment.state === 'reserved') return undefined;
  const before = BigInt(payment.amount);
  // The chain accepts one of the two signatures, so the larger amount is the most that can be charged.
  const amount = to.amount > before ? to.amount : before;
  check(without(book, id), payment, amount, budget, now);
  return put(book, {
    ...payment,
    amount: `${amount}`,
    payTo: to.payTo,
    validBefore: Math.max(payment.validBefore, to.validBefore),
    signatures: payment.signatures + 1,
  });
}

/** Returns the state with a changed payment; undefined if the payment is no longer open. */
export function update(
  book: SpendState,
  id: string,
  changes: Partial<Pick<OpenPayment, 'state' | 'header' | 'signatures'>>,
): SpendState | undefined {
  const payment = book.open.find((one) => one.id === id);
  return payment && put(book, { ...payment, ...changes });
}

/** Returns the state without a payment that was never charged; undefined if it was signed again since it was checked. */
export function free(book: SpendState, payment: OpenPayment): SpendState | undefined {
  const now = book.open.find(({ id }) => id === payment.id);
  if (now?.signatures !== payment.signatures || now.header !== payment.header) return undefined;
  return without(book, payment.id);
}

/** Returns the state with an open payment as spent; undefined if the payment is no longer open. */
export function spend(
  book: SpendState,
  record: PaymentRecord,
  budget: Budget,
): SpendState | undefined {
  const { amount, host, outcome } = record;
  const payment = book.open.find(({ id }) => id === record.id);
  if (payment === undefined) return undefined;
  // It was signed again since it was checked, so it can be charged.
  if (outcome === 'written-off' && payment.validBefore >= record.at) return undefined;
  if (outcome === 'written-off') return without(book, record.id);
  const ofHost = BigInt(book.spentByHost[host] ?? 0) + BigInt(amount);
  return {
    ...without(book, record.id),
    spent: `${BigInt(book.spent) + BigInt(amount)}`,
    spentByHost: { ...book.spentByHost, [host]: `${ofHost}` },
    recent: addRecent(
      book.recent,
      Math.min(record.at, payment.validBefore),
      amount,
      stretchOf(budget),
    ),
    ...(outcome === 'charged' && {
      unanswered: [...(book.unanswered ?? []), { ...payment, state: 'charged' as const }],
    }),
  };
}

/** Returns the state after a late response of a charged payment; undefined if the payment is not waiting for one. */
export function answered(book: SpendState, id: string): SpendState | undefined {
  const { unanswered = [] } = book;
  if (!unanswered.some((one) => one.id === id)) return undefined;
  return { ...book, unanswered: unanswered.filter((one) => one.id !== id) };
}

/** Returns the amount reserved for open payments. */
export function reservedIn({ open }: SpendState, host?: string): bigint {
  return open
    .filter((one) => host === undefined || one.host === host)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Drops stale reservations: a process that died before it stored the signed payment cannot have sent it. */
function sweep(book: SpendState, now: number): SpendState {
  const isAlive = (one: OpenPayment) => one.state !== 'reserved' || one.validBefore >= now;
  return { ...book, open: book.open.filter(isAlive) };
}

function check(
  book: SpendState,
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
    const spent = inside.reduce((sum, [, , one]) => sum + BigInt(one), 0n);
    // A payment that expired before the period began was not charged in it.
    const chargeable = book.open.filter((one) => one.validBefore > since);
    limit('period', perPeriod.amount, spent + reservedIn({ ...book, open: chargeable }));
  }
  if (perHost !== undefined) {
    limit('host', perHost, BigInt(book.spentByHost[host] ?? 0) + reservedIn(book, host));
  }
  limit('total', total, BigInt(book.spent) + held);

  function limit(cap: 'call' | 'period' | 'host' | 'total', most: bigint, used: bigint): void {
    if (used + asked <= most) return;
    const words = `${host} asks for ${asked}, but the cap per ${cap} is ${most}, of which ${used} is used.`;
    throw failure('over_cap', words, { cap, limit: most, used, asked });
  }
}

function without(book: SpendState, id: string): SpendState {
  return { ...book, open: book.open.filter((one) => one.id !== id) };
}

/**
 * Marks a payment as replaced, so that its request can be bought again. It still counts. Throws `config` if it is for
 * another request, which could then be paid twice without consent.
 */
function replace(book: SpendState, asked: Asked, id: string | undefined): SpendState {
  const { open, unanswered } = book;
  if (id === undefined) return book;
  const isIt = (one: OpenPayment) => {
    if (one.id !== id) return false;
    if (isSameRequest(one, asked)) return true;
    throw failure('config', `Payment ${id} is for another request.`, {});
  };
  return {
    ...book,
    open: open.map((one) => (isIt(one) ? { ...one, replaced: true } : one)),
    ...(unanswered && { unanswered: unanswered.filter((one) => !isIt(one)) }),
  };
}

function put(book: SpendState, payment: OpenPayment): SpendState {
  return { ...book, open: book.open.map((one) => (one.id === payment.id ? payment : one)) };
}

function stretchOf({ perPeriod }: Budget): number {
  return perPeriod ? perPeriod.seconds / PARTS : 3_600;
}

function addRecent(
  recent: SpendState['recent'],
  at: number,
  amount: string,
  stretch: number,
): SpendState['recent'] {
  const last = recent.at(-1);
  if (last && at < last[0] + stretch) {
    const sum = `${BigInt(last[2]) + BigInt(amount)}`;
    return [...recent.slice(0, -1), [last[0], Math.max(last[1], at), sum]];
  }
  const [first, second, ...rest] = recent;
  if (recent.length < MAX_BUCKETS || !first || !second) return [...recent, [at, at, amount]];
  const merged = `${BigInt(first[2]) + BigInt(second[2])}`;
  return [[first[0], second[1], merged], ...rest, [at, at, amount]];
}
