import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { openPayment } from '../../test/openPayment.ts';
import { isAssayError } from '../wire/errors.ts';
import * as pages from './book.ts';
import {
  answered,
  type Budget,
  EMPTY,
  findEarlier,
  free,
  raise,
  reservedIn,
  spend,
  update,
} from './book.ts';
import { createLedger } from './ledger.ts';
import { recordOf } from './present.ts';
import type { OpenPayment, SpendState, SpendStore } from './store.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_116) });
const RUNS = LONG ? 5_000 : 300;

const BUDGET: Budget = {
  perCall: 60n,
  total: 400n,
  perHost: 250n,
  perPeriod: { amount: 150n, seconds: 600 },
};

function payment(id: string, amount: number, at = 0, host = 'a.example'): OpenPayment {
  return openPayment({ id, amount: `${amount}`, url: `https://${host}/${id}`, reservedAt: at });
}

/** Reserves a payment whose URL has no other payment. */
function reserve(...args: Parameters<typeof pages.reserve>): SpendState {
  const after = pages.reserve(...args);
  expect(after).toBeDefined();
  return after!;
}

function refused(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (isAssayError(error, 'over_cap')) return error.cap;
    throw error;
  }
  return undefined;
}

/** Spends payments of these amounts one after the other. */
function spent(
  book: SpendState,
  amounts: readonly number[],
  at: number,
  host?: string,
): SpendState {
  return amounts.reduce((before, amount, i) => {
    const one = payment(`${at} ${i} ${host}`, amount, at, host);
    return spend(reserve(before, one, BUDGET, at), recordOf(one, 'paid', at, null), BUDGET)!;
  }, book);
}

describe('book', () => {
  test('error: a payment for another request is not replaced', () => {
    const first = payment('first', 50);
    const book = reserve(EMPTY, first, BUDGET, 0);
    const replacing = () => pages.reserve(book, payment('second', 50), BUDGET, 0, first.id);
    expect(replacing).toThrow('Payment first is for another request');
    const charged = spend(book, recordOf(first, 'charged', 0, null), BUDGET)!;
    expect(() => pages.reserve(charged, payment('second', 50), BUDGET, 0, first.id)).toThrow();
    // Its own request can be bought again.
    const again = { ...payment('third', 50), url: first.url };
    expect(pages.reserve(book, again, BUDGET, 0, first.id)?.open).toHaveLength(2);
  });

  test('default: each cap, up to its last unit', () => {
    expect(refused(() => reserve(EMPTY, payment('1', 60), BUDGET, 0))).toBe(undefined);
    expect(refused(() => reserve(EMPTY, payment('1', 61), BUDGET, 0))).toBe('call');
    const full = spent(EMPTY, [50, 50], 0);
    expect(refused(() => reserve(full, payment('x', 50), BUDGET, 0))).toBe(undefined);
    expect(refused(() => reserve(full, payment('x', 51), BUDGET, 0))).toBe('period');
    const later = spent(full, [50, 50], 700);
    expect(refused(() => reserve(later, payment('x', 51), BUDGET, 1_400))).toBe('host');
    expect(refused(() => reserve(later, payment('x', 51, 0, 'b.example'), BUDGET, 1_400))).toBe(
      undefined,
    );
    const most = spent(later, [50, 50, 50], 1_400, 'b.example');
    expect(refused(() => reserve(most, payment('x', 50, 0, 'c.example'), BUDGET, 2_100))).toBe(
      undefined,
    );
    expect(refused(() => reserve(most, payment('x', 51, 0, 'c.example'), BUDGET, 2_100))).toBe(
      'total',
    );
  });

  test('behavior: open payments count in full in every state', () => {
    let book = reserve(EMPTY, payment('1', 60), BUDGET, 0);
    book = update(book, '1', { state: 'signed', header: 'h' })!;
    book = reserve(book, payment('2', 60), BUDGET, 0);
    book = update(book, '2', { state: 'doubtful', header: 'h' })!;
    expect(reservedIn(book)).toBe(120n);
    expect(refused(() => reserve(book, payment('3', 31), BUDGET, 0))).toBe('period');
    expect(refused(() => reserve(book, payment('3', 31), BUDGET, 659))).toBe('period');
  });

  test('behavior: an expired payment counts in no period that began after its end, but in all other caps', () => {
    let book = reserve(EMPTY, payment('1', 60), BUDGET, 0);
    book = update(book, '1', { state: 'doubtful', header: 'h' })!;
    const later = (id: string, amount: number) => payment(id, amount, 660);
    book = reserve(reserve(book, later('2', 60), BUDGET, 660), later('3', 60), BUDGET, 660);
    expect(refused(() => reserve(book, later('4', 31), BUDGET, 660))).toBe('period');
    expect(reservedIn(book)).toBe(180n);
    const other: Budget = { ...BUDGET, perPeriod: { amount: 1_000n, seconds: 600 } };
    book = reserve(book, later('4', 60), other, 660);
    expect(refused(() => reserve(book, later('5', 11), other, 660))).toBe('host');
  });

  test('behavior: a URL has one payment at a time, unless it is replaced', () => {
    const same = (id: string) => ({ ...payment(id, 10), url: 'https://a.example/x' });
    let book = reserve(EMPTY, same('1'), BUDGET, 0);
    expect(pages.reserve(book, same('2'), BUDGET, 0)).toBe(undefined);
    for (const state of ['signed', 'doubtful'] as const) {
      book = update(book, '1', { state, header: 'h' })!;
      expect(pages.reserve(book, same('2'), BUDGET, 10_000)).toBe(undefined);
    }
    expect(pages.reserve(book, { ...same('2'), payer: '0x9' }, BUDGET, 0)?.open).toHaveLength(2);
    book = reserve(book, same('2'), BUDGET, 0, '1');
    expect(reservedIn(book)).toBe(20n);
    expect(findEarlier(book, same('3'))?.id).toBe('2');
    // Charged without a response: it counts as spent, and still blocks its URL.
    book = spend(book, recordOf(book.open[1]!, 'charged', 1, null), BUDGET)!;
    expect(book).toMatchObject({ spent: '10', unanswered: [{ id: '2', state: 'charged' }] });
    expect(pages.reserve(book, same('3'), BUDGET, 0)).toBe(undefined);
    expect(reserve(book, same('3'), BUDGET, 0, '2').unanswered).toEqual([]);
    const after = answered(book, '2')!;
    expect(after.spent).toBe('10');
    expect(reserve(after, same('3'), BUDGET, 0).open).toHaveLength(2);
  });

  test('error: the state of a newer version is not used', async () => {
    const newer = { ...EMPTY, version: 2 } as unknown as SpendState;
    expect(() => pages.readBook(newer)).toThrow('newer version');
    const store = { transact: async (change) => change(newer).result } as Pick<
      SpendStore,
      'transact'
    >;
    const ledger = createLedger(store as SpendStore, BUDGET, () => 0);
    await expect(ledger.reserve(payment('1', 1), {})).rejects.toMatchObject({
      type: 'store',
    });
  });

  test('behavior: a payment written off no longer counts, and frees its URL', () => {
    const book = update(reserve(EMPTY, payment('1', 60), BUDGET, 0), '1', { state: 'doubtful' })!;
    const again = raise(book, '1', { amount: 60n, payTo: '', validBefore: 200 }, BUDGET, 100)!;
    expect(spend(again, recordOf(book.open[0]!, 'written-off', 100, null), BUDGET)).toBe(undefined);
    const after = spend(book, recordOf(book.open[0]!, 'written-off', 100, null), BUDGET)!;
    expect(after).toMatchObject({ spent: '0', open: [], recent: [] });
    expect(reserve(after, payment('1', 60), BUDGET, 100).open).toHaveLength(1);
  });

  test('behavior: a reservation that was never signed expires', () => {
    const book = reserve(EMPTY, payment('1', 60), BUDGET, 0);
    expect(reserve(book, payment('2', 60), BUDGET, 60).open).toHaveLength(2);
    const after = reserve(book, payment('2', 60), BUDGET, 61);
    expect(after.open.map(({ id }) => id)).toEqual(['2']);
    expect(update(after, '1', { state: 'signed' })).toBe(undefined);
  });

  test('behavior: another signature of the same nonce reserves the larger amount', () => {
    const to = { amount: 55n, payTo: '0x4', validBefore: 200 };
    const reserved = reserve(EMPTY, payment('1', 40), BUDGET, 0);
    expect(raise(reserved, '1', to, BUDGET, 0)).toBe(undefined);
    const signed = update(reserved, '1', { state: 'signed', header: 'h' })!;
    const raised = raise(signed, '1', to, BUDGET, 0)!;
    expect(raised.open[0]).toMatchObject({ amount: '55', validBefore: 200, signatures: 2 });
    const cheaper = raise(signed, '1', { ...to, amount: 1n }, BUDGET, 0)!;
    expect(cheaper.open[0]).toMatchObject({ amount: '40' });
    expect(refused(() => raise(signed, '1', { ...to, amount: 61n }, BUDGET, 0))).toBe('call');
  });

  test('behavior: a payment signed again in the meantime is not freed', () => {
    const seen = payment('1', 40);
    const signed = update(reserve(EMPTY, seen, BUDGET, 0), '1', { state: 'signed', header: 'h' })!;
    expect(free(signed, seen)).toBe(undefined);
    const raised = raise(signed, '1', { amount: 1n, payTo: '', validBefore: 9 }, BUDGET, 0)!;
    expect(free(raised, signed.open[0]!)).toBe(undefined);
    expect(free(raised, raised.open[0]!)!.open).toEqual([]);
    expect(free(EMPTY, seen)).toBe(undefined);
  });

  test('behavior: a payment recorded twice is spent once', () => {
    const one = payment('1', 40);
    const record = recordOf(one, 'paid', 5, null);
    const book = spend(reserve(EMPTY, one, BUDGET, 0), record, BUDGET)!;
    expect(book).toMatchObject({ spent: '40', spentByHost: { 'a.example': '40' }, open: [] });
    expect(spend(book, record, BUDGET)).toBe(undefined);
  });

  test('behavior: the state stays small, and nothing is dropped too early', () => {
    const budget: Budget = {
      perCall: 1n,
      total: 10n ** 9n,
      perPeriod: { amount: 10n ** 9n, seconds: 60 },
    };
    let book = EMPTY;
    for (let at = 0; at < 2_000; at++) {
      const one = payment(`${at}`, 1, at);
      book = spend(reserve(book, one, budget, at), recordOf(one, 'paid', at, null), budget)!;
    }
    expect(book.recent.length).toBeLessThanOrEqual(256);
    const sum = book.recent.reduce((all, [, , amount]) => all + BigInt(amount), 0n);
    expect(sum).toBe(2_000n);
    // A longer period than the stored one can count too much, never too little.
    const longer: Budget = { ...budget, perPeriod: { amount: 1_000n, seconds: 1_800 } };
    expect(refused(() => reserve(book, payment('x', 1), longer, 2_000))).toBe('period');
  });

  test('behavior: no order of events spends more than a cap', () => {
    const event = fc.record({
      kind: fc.constantFrom('reserve', 'sign', 'raise', 'spend', 'doubt', 'free', 'wait'),
      of: fc.nat(7),
      amount: fc.integer({ min: 1, max: 80 }),
      host: fc.constantFrom('a.example', 'b.example'),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        let book = EMPTY;
        let now = 0;
        /** Actual charges with their times. */
        const taken: { at: number; amount: bigint; host: string }[] = [];
        for (const [i, { kind, of, amount, host }] of events.entries()) {
          const one = book.open[of % Math.max(1, book.open.length)];
          if (kind === 'wait') now += amount;
          try {
            if (kind === 'reserve')
              book = reserve(book, payment(`${i}`, amount, now, host), BUDGET, now);
            if (one && kind === 'sign')
              book = update(book, one.id, { state: 'signed', header: 'h' })!;
            if (one && kind === 'doubt') book = update(book, one.id, { state: 'doubtful' })!;
            if (one && kind === 'free') book = free(book, one)!;
            const to = { amount: BigInt(amount), payTo: '', validBefore: now + 60 };
            if (one && kind === 'raise') book = raise(book, one.id, to, BUDGET, now) ?? book;
          } catch (error) {
            if (!isAssayError(error, 'over_cap')) throw error;
          }
          if (one && kind === 'spend') {
            book = spend(book, recordOf(one, 'paid', now, null), BUDGET)!;
            // It was charged while it was valid.
            taken.push({
              at: Math.min(now, one.validBefore),
              amount: BigInt(one.amount),
              host: one.host,
            });
          }
          const sum = (of: typeof taken) => of.reduce((all, { amount: n }) => all + n, 0n);
          expect(sum(taken) + reservedIn(book)).toBeLessThanOrEqual(BUDGET.total);
          expect(BigInt(book.spent)).toBe(sum(taken));
          const { amount: most, seconds } = BUDGET.perPeriod!;
          const inPeriod = taken.filter(({ at }) => at > now - seconds);
          expect(sum(inPeriod)).toBeLessThanOrEqual(most);
          for (const name of ['a.example', 'b.example']) {
            const there = taken.filter((one) => one.host === name);
            expect(sum(there)).toBeLessThanOrEqual(BUDGET.perHost!);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
