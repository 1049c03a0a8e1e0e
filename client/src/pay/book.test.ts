import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { isAssayError } from '../wire/errors.ts';
import { type Budget, EMPTY, free, raise, reserve, reservedIn, spend, update } from './book.ts';
import { recordOf } from './purchase.ts';
import type { Book, OpenPayment } from './store.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_116) });
const RUNS = LONG ? 5_000 : 300;

const BUDGET: Budget = {
  perCall: 60n,
  total: 400n,
  perHost: 250n,
  perPeriod: { amount: 150n, seconds: 600 },
};

function payment(id: string, amount: number, at = 0, host = 'a.example'): OpenPayment {
  return {
    id,
    state: 'reserved',
    url: `https://${host}/${id}`,
    host,
    network: 'eip155:8453',
    asset: '0x1',
    payTo: '0x2',
    payer: '0x3',
    amount: `${amount}`,
    nonce: `0x${id}`,
    reservedAt: at,
    validBefore: at + 60,
    signatures: 1,
  };
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

/** So many payments, spent one after the other. */
function spent(book: Book, amounts: readonly number[], at: number, host?: string): Book {
  return amounts.reduce((before, amount, i) => {
    const one = payment(`${at} ${i} ${host}`, amount, at, host);
    return spend(reserve(before, one, BUDGET, at), recordOf(one, 'paid', at, null), BUDGET)!;
  }, book);
}

describe('book', () => {
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

  test('behavior: what is open counts in full, whatever its state', () => {
    let book = reserve(EMPTY, payment('1', 60), BUDGET, 0);
    book = update(book, '1', { state: 'signed', header: 'h' })!;
    book = reserve(book, payment('2', 60), BUDGET, 0);
    book = update(book, '2', { state: 'doubtful', header: 'h' })!;
    expect(reservedIn(book)).toBe(120n);
    expect(refused(() => reserve(book, payment('3', 31), BUDGET, 0))).toBe('period');
    // Also long after its end: nobody has proven anything.
    expect(refused(() => reserve(book, payment('3', 31), BUDGET, 10_000))).toBe('period');
  });

  test('behavior: who died before it had signed is forgotten when its time is over', () => {
    const book = reserve(EMPTY, payment('1', 60), BUDGET, 0);
    expect(reserve(book, payment('2', 60), BUDGET, 60).open).toHaveLength(2);
    const after = reserve(book, payment('2', 60), BUDGET, 61);
    expect(after.open.map(({ id }) => id)).toEqual(['2']);
    expect(update(after, '1', { state: 'signed' })).toBe(undefined);
  });

  test('behavior: a second signature holds back the larger of the two, and there is no third', () => {
    const to = { amount: 55n, payTo: '0x4', validBefore: 200 };
    const reserved = reserve(EMPTY, payment('1', 40), BUDGET, 0);
    expect(raise(reserved, '1', to, BUDGET, 0)).toBe(undefined);
    const signed = update(reserved, '1', { state: 'signed', header: 'h' })!;
    const raised = raise(signed, '1', to, BUDGET, 0)!;
    expect(raised.open[0]).toMatchObject({ amount: '55', validBefore: 200, signatures: 2 });
    expect(raise(raised, '1', to, BUDGET, 0)).toBe(undefined);
    const cheaper = raise(signed, '1', { ...to, amount: 1n }, BUDGET, 0)!;
    expect(cheaper.open[0]).toMatchObject({ amount: '40' });
    expect(refused(() => raise(signed, '1', { ...to, amount: 61n }, BUDGET, 0))).toBe('call');
  });

  test('behavior: what was signed anew meanwhile is not freed for what was seen before', () => {
    const seen = payment('1', 40);
    const signed = update(reserve(EMPTY, seen, BUDGET, 0), '1', { state: 'signed', header: 'h' })!;
    expect(free(signed, seen)).toBe(undefined);
    const raised = raise(signed, '1', { amount: 1n, payTo: '', validBefore: 9 }, BUDGET, 0)!;
    expect(free(raised, signed.open[0]!)).toBe(undefined);
    expect(free(raised, raised.open[0]!)!.open).toEqual([]);
    expect(free(EMPTY, seen)).toBe(undefined);
  });

  test('behavior: told of twice is spent once', () => {
    const one = payment('1', 40);
    const record = recordOf(one, 'paid', 5, null);
    const book = spend(reserve(EMPTY, one, BUDGET, 0), record, BUDGET)!;
    expect(book).toMatchObject({ spent: '40', spentByHost: { 'a.example': '40' }, open: [] });
    expect(spend(book, record, BUDGET)).toBe(undefined);
  });

  test('behavior: the book stays small, and never forgets too early', () => {
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
    // A longer period than the one it was written for counts more than it must, never less.
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
        /** What was really taken, and when. */
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
            taken.push({ at: now, amount: BigInt(one.amount), host: one.host });
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
