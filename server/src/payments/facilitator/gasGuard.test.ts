import { describe, expect, test } from 'vitest';
import type { Address, Hex } from '../../domain/hex.ts';
import { createGasGuard, type GasLimits, type GasLoss } from './gasGuard.ts';

const LIMITS: GasLimits = {
  payerPerHour: 1_000_000n,
  lostPerHour: 3_000_000n,
  waitSeconds: 60,
  maxWaitSeconds: 3_600,
};
const [A, B] = ['aa', 'bb'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address];

function open(limits: Partial<GasLimits> = {}) {
  const clock = { now: 1_000_000 };
  const guard = createGasGuard({ ...LIMITS, ...limits }, () => clock.now);
  let count = 0;
  const loss = (payer: Address, gas: bigint, blamed = true): GasLoss => {
    const transaction: Hex = `0x${String(++count).padStart(64, '0')}`;
    return { payer, transaction, gas, wei: gas * 7n, at: clock.now, blamed };
  };
  const fail = (payer: Address, gas: bigint) => {
    const one = loss(payer, gas);
    guard.failed(one);
    guard.blame(one);
  };
  return { clock, guard, loss, fail };
}

describe('gasGuard', () => {
  test('default: whoever cost nothing waits for nothing', () => {
    const { guard } = open();
    expect(guard.holdOf(A)).toBeUndefined();
    guard.settled(A, { gas: 90_000n, wei: 630_000n }, false);
    expect(guard.holdOf(A, true)).toBeUndefined();
    expect(guard.read()).toEqual({
      settled: { gas: 90_000n, wei: 630_000n },
      failed: { gas: 0n, wei: 0n },
      lostInHour: 0n,
      lostPerHour: 3_000_000n,
      payersWaiting: 0,
    });
  });

  test('behavior: waits grow fourfold, to the longest, and are forgotten after a day', () => {
    const { clock, guard, fail } = open({ payerPerHour: 10n ** 9n });
    const waits = [60, 240, 960, 3_600, 3_600];
    for (const wait of waits) {
      fail(A, 50_000n);
      const hold = { ok: false, code: 'payer_must_wait', retryAfterSeconds: wait };
      expect(guard.holdOf(A)).toEqual(hold);
      expect(guard.holdOf(B)).toBeUndefined();
      expect(guard.read().payersWaiting).toBe(1);
      clock.now += wait - 1;
      expect(guard.holdOf(A)).toEqual({ ...hold, retryAfterSeconds: 1 });
      clock.now += 1;
      expect(guard.holdOf(A)).toBeUndefined();
    }
    clock.now += 86_400;
    fail(A, 50_000n);
    expect(guard.holdOf(A)).toMatchObject({ retryAfterSeconds: 60 });
  });

  test('behavior: what was not the payer’s fault is lost, but nobody waits for it', () => {
    const { guard, loss } = open();
    guard.failed(loss(A, 50_000n));
    guard.learn(loss(B, 70_000n, false));
    expect([guard.holdOf(A), guard.holdOf(B)]).toEqual([undefined, undefined]);
    expect(guard.read()).toMatchObject({
      failed: { gas: 50_000n, wei: 350_000n },
      lostInHour: 120_000n,
    });
  });

  test('behavior: a payer’s gas of an hour: failures, all with code, and what is in flight', () => {
    const { clock, guard, fail } = open({ waitSeconds: 0 });
    fail(A, 300_000n);
    guard.settled(A, { gas: 90_000_000n, wei: 0n }, false);
    guard.settled(A, { gas: 300_000n, wei: 0n }, true);
    expect(guard.holdOf(A)).toBeUndefined();
    const aside = guard.setAside(A, 400_000n, clock.now + 120);
    expect(guard.holdOf(A)).toMatchObject({ code: 'payer_must_wait', retryAfterSeconds: 2 });
    expect(guard.setAside(A, 1n, clock.now + 120)).toMatchObject({ code: 'payer_must_wait' });
    expect(guard.holdOf(B, true)).toBeUndefined();
    if (aside.ok) aside.release();
    expect(guard.holdOf(A)).toBeUndefined();
    const more = guard.setAside(A, 400_001n, clock.now + 120);
    expect(more).toMatchObject({ ok: false, code: 'payer_must_wait' });
    clock.now += (more as { retryAfterSeconds: number }).retryAfterSeconds;
    expect(guard.setAside(A, 400_001n, clock.now + 120)).toMatchObject({ ok: true });
  });

  test('behavior: what is lost and what may be never passes the limit, for wallets; plain keys go on', () => {
    const { clock, guard, fail } = open({ payerPerHour: 10n ** 9n });
    const end = clock.now + 120;
    fail(A, 1_000_000n);
    const first = guard.setAside(B, 1_500_000n, end);
    expect(first.ok).toBe(true);
    const held = guard.setAside(B, 500_001n, end);
    expect(held).toEqual({ ok: false, code: 'wallets_must_wait', retryAfterSeconds: 2 });
    expect(guard.setAside(B, 500_000n, end)).toMatchObject({ ok: true });
    expect(guard.holdOf(B, true)).toMatchObject({ code: 'wallets_must_wait' });
    expect(guard.holdOf(B)).toBeUndefined();
    // Nobody said how they ended: they cannot cost anything any more.
    clock.now = end;
    expect(guard.holdOf(B, true)).toBeUndefined();
    for (let i = 0; i < 2; i++) fail(A, 1_000_000n);
    const shut = guard.holdOf(B, true) as { retryAfterSeconds: number };
    expect(shut).toMatchObject({ code: 'wallets_must_wait' });
    expect(shut.retryAfterSeconds).toBeGreaterThan(3_000);
    clock.now += shut.retryAfterSeconds;
    expect(guard.holdOf(B, true)).toBeUndefined();
  });

  test('behavior: more may be in flight as they go well, and few again after a failure', () => {
    const { guard, fail } = open();
    const most = () => [guard.mostInFlight(A, false), guard.mostInFlight(A, true)];
    expect(most()).toEqual([4, 1]);
    for (let i = 0; i < 3; i++) guard.settled(A, { gas: 1n, wei: 1n }, i === 0);
    expect(most()).toEqual([7, 4]);
    fail(A, 1n);
    expect(most()).toEqual([4, 1]);
  });

  test('behavior: without limits nobody waits', () => {
    const guard = createGasGuard(undefined, () => 0);
    const transaction: Hex = `0x${'11'.repeat(32)}`;
    guard.learn({ payer: A, transaction, gas: 10n ** 12n, wei: 1n, at: 0, blamed: true });
    expect(guard.holdOf(A, true)).toBeUndefined();
    expect(guard.setAside(A, 10n ** 12n, 100).ok).toBe(true);
  });
});
