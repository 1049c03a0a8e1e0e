import { describe, expect, test } from 'vitest';
import type { Address, Hex } from '../../domain/hex.ts';
import { createGasGuard, type GasLimits, type GasLoss } from './gasGuard.ts';

const LIMITS: GasLimits = {
  payerPerHour: 1_000_000n,
  lostPerHour: 3_000_000n,
  plainLostPerHour: 200_000n,
  waitSeconds: 60,
  maxWaitSeconds: 3_600,
};
const [A, B] = ['aa', 'bb'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address];

function open(limits: Partial<GasLimits> = {}) {
  const clock = { now: 1_000_000 };
  const guard = createGasGuard({ ...LIMITS, ...limits }, () => clock.now);
  let count = 0;
  const loss = (
    payer: Address,
    gas: bigint,
    { penalized = true, hasCode = true } = {},
  ): GasLoss => {
    const transaction: Hex = `0x${String(++count).padStart(64, '0')}`;
    return { payer, transaction, gas, wei: gas * 7n, hasCode, at: clock.now, penalized };
  };
  const fail = (payer: Address, gas: bigint, hasCode = true) => {
    const one = loss(payer, gas, { hasCode });
    guard.failed(one);
    guard.penalize(one);
  };
  return { clock, guard, loss, fail };
}

describe('gasGuard', () => {
  test('default: a payer without failures is not throttled', () => {
    const { guard } = open();
    expect(guard.getThrottle(A)).toBeUndefined();
    guard.settled(A, { gas: 90_000n, wei: 630_000n }, false);
    expect(guard.getThrottle(A, true)).toBeUndefined();
    expect(guard.read()).toEqual({
      settled: { gas: 90_000n, wei: 630_000n },
      failed: { gas: 0n, wei: 0n },
      lostInHour: 0n,
      walletsLostInHour: 0n,
      lostPerHour: 3_000_000n,
      plainLostInHour: 0n,
      plainLostPerHour: 200_000n,
      payersThrottled: 0,
    });
  });

  test('behavior: waits grow fourfold up to the maximum, and are forgotten after a day', () => {
    const { clock, guard, fail } = open({ payerPerHour: 10n ** 9n });
    const waits = [60, 240, 960, 3_600, 3_600];
    for (const wait of waits) {
      fail(A, 50_000n);
      const throttle = { ok: false, code: 'payer_throttled', retryAfterSeconds: wait };
      expect(guard.getThrottle(A)).toEqual(throttle);
      expect(guard.getThrottle(B)).toBeUndefined();
      expect(guard.read().payersThrottled).toBe(1);
      clock.now += wait - 1;
      expect(guard.getThrottle(A)).toEqual({ ...throttle, retryAfterSeconds: 1 });
      clock.now += 1;
      expect(guard.getThrottle(A)).toBeUndefined();
    }
    clock.now += 86_400;
    fail(A, 50_000n);
    expect(guard.getThrottle(A)).toMatchObject({ retryAfterSeconds: 60 });
  });

  test('behavior: a failure that the payer did not cause counts as lost, but does not throttle it', () => {
    const { guard, loss } = open();
    guard.failed(loss(A, 50_000n));
    guard.learn(loss(B, 70_000n, { penalized: false }));
    expect([guard.getThrottle(A), guard.getThrottle(B)]).toEqual([undefined, undefined]);
    expect(guard.read()).toMatchObject({
      failed: { gas: 50_000n, wei: 350_000n },
      lostInHour: 120_000n,
    });
  });

  test("behavior: a payer's gas per hour counts failures, all gas with code, and payments in flight", () => {
    const { clock, guard, fail } = open({ waitSeconds: 0 });
    fail(A, 300_000n);
    guard.settled(A, { gas: 90_000_000n, wei: 0n }, false);
    guard.settled(A, { gas: 300_000n, wei: 0n }, true);
    expect(guard.getThrottle(A)).toBeUndefined();
    const reservation = guard.reserve(A, 400_000n, clock.now + 120);
    expect(guard.getThrottle(A)).toMatchObject({ code: 'payer_throttled', retryAfterSeconds: 2 });
    expect(guard.reserve(A, 1n, clock.now + 120)).toMatchObject({ code: 'payer_throttled' });
    expect(guard.getThrottle(B, true)).toBeUndefined();
    if (reservation.ok) reservation.release();
    expect(guard.getThrottle(A)).toBeUndefined();
    const more = guard.reserve(A, 400_001n, clock.now + 120);
    expect(more).toMatchObject({ ok: false, code: 'payer_throttled' });
    clock.now += (more as { retryAfterSeconds: number }).retryAfterSeconds;
    expect(guard.reserve(A, 400_001n, clock.now + 120)).toMatchObject({ ok: true });
  });

  test('behavior: lost and reserved gas never exceed the limit for wallets; plain keys are unaffected', () => {
    const { clock, guard, fail } = open({ payerPerHour: 10n ** 9n });
    const end = clock.now + 120;
    fail(A, 1_000_000n);
    const first = guard.reserve(B, 1_500_000n, end);
    expect(first.ok).toBe(true);
    const throttle = guard.reserve(B, 500_001n, end);
    expect(throttle).toEqual({ ok: false, code: 'wallets_throttled', retryAfterSeconds: 2 });
    expect(guard.reserve(B, 500_000n, end)).toMatchObject({ ok: true });
    expect(guard.getThrottle(B, true)).toMatchObject({ code: 'wallets_throttled' });
    expect(guard.getThrottle(B)).toBeUndefined();
    // Their result was never reported, and they can no longer cost anything.
    clock.now = end;
    expect(guard.getThrottle(B, true)).toBeUndefined();
    for (let i = 0; i < 2; i++) fail(A, 1_000_000n);
    const shut = guard.getThrottle(B, true) as { retryAfterSeconds: number };
    expect(shut).toMatchObject({ code: 'wallets_throttled' });
    expect(shut.retryAfterSeconds).toBeGreaterThan(3_000);
    clock.now += shut.retryAfterSeconds;
    expect(guard.getThrottle(B, true)).toBeUndefined();
  });

  test('behavior: more settlements may be in flight after successes, and few again after a failure', () => {
    const { guard, fail } = open();
    const max = () => [guard.maxInFlight(A, false), guard.maxInFlight(A, true)];
    expect(max()).toEqual([4, 1]);
    for (let i = 0; i < 3; i++) guard.settled(A, { gas: 1n, wei: 1n }, i === 0);
    expect(max()).toEqual([7, 4]);
    fail(A, 1n);
    expect(max()).toEqual([4, 1]);
  });

  test('behavior: plain keys never block wallets, and wallets never throttle plain keys', () => {
    const { guard, fail } = open({ payerPerHour: 10n ** 9n });
    fail(A, 100_000_000n, false);
    expect(guard.read()).toMatchObject({ plainLostInHour: 100_000_000n, walletsLostInHour: 0n });
    expect(guard.getThrottle(B, true)).toBeUndefined();
    expect(guard.reserve(B, 1_500_000n, 2_000_000).ok).toBe(true);

    const other = open({ payerPerHour: 10n ** 9n });
    other.fail(A, 100_000_000n, true);
    expect(other.guard.getThrottle(B, true)).toMatchObject({ code: 'wallets_throttled' });
    expect(other.guard.getThrottle(B)).toBeUndefined();
    expect(other.guard.maxInFlight(B, false)).toBe(4);
  });

  test('behavior: above the loss limit for plain keys, one that never settled has one in flight', () => {
    const { clock, guard, loss, fail } = open();
    const old: Address = `0x${'cc'.repeat(20)}`;
    guard.settled(A, { gas: 1n, wei: 1n }, false);
    guard.learn(loss(`0x${'dd'.repeat(20)}`, 200_000n, { hasCode: false }));
    expect([A, B, old].map((payer) => guard.maxInFlight(payer, false))).toEqual([5, 4, 4]);
    expect(guard.needsHistory(old)).toBe(false);
    guard.learn(loss(`0x${'ee'.repeat(20)}`, 1n, { hasCode: false }));
    expect([A, B, old].map((payer) => guard.maxInFlight(payer, false))).toEqual([5, 1, 1]);
    // Wallets have a limit of one anyway.
    expect(guard.maxInFlight(B, true)).toBe(1);
    // Payers that settled in another process, or before the start, are unaffected.
    expect([A, old].map(guard.needsHistory)).toEqual([false, true]);
    guard.recall(old);
    expect([guard.maxInFlight(old, false), guard.needsHistory(old)]).toEqual([4, false]);
    // Until a payment fails: then the payer must settle one first.
    fail(old, 1n, false);
    expect([guard.maxInFlight(old, false), guard.needsHistory(old)]).toEqual([1, false]);
    guard.settled(old, { gas: 1n, wei: 1n }, false);
    expect(guard.maxInFlight(old, false)).toBe(5);
    clock.now += 3_700;
    expect(guard.maxInFlight(B, false)).toBe(4);
  });

  test('behavior: without limits no payer is throttled', () => {
    const guard = createGasGuard(undefined, () => 0);
    const transaction: Hex = `0x${'11'.repeat(32)}`;
    for (const hasCode of [true, false]) {
      const gas = 10n ** 12n;
      guard.learn({ payer: A, transaction, gas, wei: 1n, hasCode, at: 0, penalized: true });
    }
    expect(guard.maxInFlight(B, false)).toBe(4);
    expect(guard.getThrottle(A, true)).toBeUndefined();
    expect(guard.reserve(A, 10n ** 12n, 100).ok).toBe(true);
  });
});
