import { describe, expect, test } from 'vitest';
import { feeOf, NONE, outcomeOf, UNKNOWN, type Withdrawable, withdrawableBy } from './exitTerms.ts';

const of = (withdrawable: Withdrawable, hasQueue: boolean | null, assets = 100n) => {
  const { outcome, instant, queued } = outcomeOf(
    { isClosed: false, withdrawable, hasQueue },
    assets,
  );
  return [outcome, instant, queued];
};
const exactly = (assets: bigint): Withdrawable => ({ exact: assets, atLeast: assets });

describe('outcomeOf', () => {
  test('default', () => {
    expect(of(exactly(100n), true)).toEqual(['instant', 100n, 0n]);
    expect(of(exactly(99n), true)).toEqual(['partial', 99n, 1n]);
    expect(of(NONE, true)).toEqual(['queued', 0n, 100n]);
  });

  test('behavior: without a queue, the rest is unavailable; if the queue is unknown, so is the rest', () => {
    expect(of(exactly(99n), false)).toEqual(['partial', 99n, 0n]);
    expect(of(NONE, false)).toEqual(['unavailable', 0n, 0n]);
    expect(of(exactly(99n), null)).toEqual(['partial', 99n, null]);
    expect(of(NONE, null)).toEqual([null, 0n, null]);
  });

  test('behavior: a lower bound decides amounts up to it', () => {
    const least: Withdrawable = { exact: null, atLeast: 100n };
    expect(of(least, null)).toEqual(['instant', 100n, 0n]);
    expect(of(least, true, 101n)).toEqual([null, null, null]);
    expect(of(UNKNOWN, true)).toEqual([null, null, null]);
  });

  test('behavior: a closed vault rejects any amount', () => {
    const closed = { isClosed: true, withdrawable: exactly(100n), hasQueue: true };
    expect(outcomeOf(closed, 1n).outcome).toBe('unavailable');
  });
});

describe('withdrawableBy', () => {
  const holder = (maxWithdraw: bigint, gross: bigint, net = gross) => ({ maxWithdraw, gross, net });

  test('default: a holder with a limit gives the exact amount, holders without one a lower bound', () => {
    expect(withdrawableBy([holder(70n, 100n), holder(50n, 50n)])).toEqual(exactly(70n));
    expect(withdrawableBy([holder(100n, 100n), holder(50n, 50n)])).toEqual({
      exact: null,
      atLeast: 100n,
    });
    expect(withdrawableBy([holder(0n, 100n), holder(0n, 50n)])).toEqual(NONE);
    expect(withdrawableBy([])).toEqual(UNKNOWN);
    expect(withdrawableBy([holder(0n, 0n)])).toEqual(UNKNOWN);
  });

  test('behavior: rounding is not a limit, and a limit applies before the fee', () => {
    expect(withdrawableBy([holder(998n, 1_000n)])).toEqual({ exact: null, atLeast: 1_000n });
    expect(withdrawableBy([holder(900n, 1_000n, 900n)])).toEqual({ exact: null, atLeast: 1_000n });
    expect(withdrawableBy([holder(450n, 1_000n, 900n)])).toEqual(exactly(500n));
  });
});

test('feeOf: a difference of one is rounding', () => {
  expect(feeOf({ gross: 100n, net: 99n })).toBe(0n);
  expect(feeOf({ gross: 100n, net: 98n })).toBe(2n);
});
