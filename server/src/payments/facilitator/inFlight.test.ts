import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/hex.ts';
import type { Authorization } from '../authorization/payment.ts';
import { createInFlight } from './inFlight.ts';

const A: Address = `0x${'aa'.repeat(20)}`;

function authorization(nonce: number, value: bigint, from = A): Authorization {
  const word = nonce.toString(16).padStart(64, '0');
  return { from, to: A, value, validAfter: 0n, validBefore: 1_000n, nonce: `0x${word}` };
}

describe('inFlight', () => {
  test('default: each stands behind those that came before', () => {
    const inFlight = createInFlight(() => 0);
    const first = inFlight.enter(authorization(1, 10n));
    const second = inFlight.enter(authorization(2, 20n));
    const third = inFlight.enter(authorization(3, 40n));
    const stranger = inFlight.enter(authorization(4, 80n, `0x${'bb'.repeat(20)}`));
    expect(first.before()).toMatchObject({ count: 0, value: 0n });
    expect(second.before()).toMatchObject({ count: 1, value: 10n });
    expect(third.before()).toMatchObject({ count: 2, value: 30n });
    expect(stranger.before()).toMatchObject({ count: 0, value: 0n });
    first.leave();
    first.leave();
    expect(third.before()).toMatchObject({ count: 1, value: 20n });
  });

  test('behavior: copies of one authorization are one payment', () => {
    const inFlight = createInFlight(() => 0);
    const first = inFlight.enter(authorization(1, 10n));
    const copy = inFlight.enter(authorization(1, 10n));
    const other = inFlight.enter(authorization(2, 20n));
    expect(copy.before()).toMatchObject({ count: 0, value: 0n });
    expect(other.before()).toMatchObject({ count: 1, value: 10n });
    copy.leave();
    expect(other.before()).toMatchObject({ count: 1, value: 10n });
    first.leave();
    expect(other.before()).toMatchObject({ count: 0, value: 0n });
  });

  test('behavior: what is mined has its place still, but takes nothing more', async () => {
    const inFlight = createInFlight(() => 0);
    const first = inFlight.enter(authorization(1, 10n));
    inFlight.enter(authorization(1, 10n));
    const other = inFlight.enter(authorization(2, 20n));
    const before = other.before();
    first.mined();
    expect(other.before()).toMatchObject({ count: 1, value: 0n });
    expect(await other.change(before, performance.now())).toBe(true);
  });

  test('behavior: tells of an end, also of one before it was asked', async () => {
    const inFlight = createInFlight(() => 0);
    const first = inFlight.enter(authorization(1, 10n));
    const second = inFlight.enter(authorization(2, 20n));
    const before = second.before();
    const long = performance.now() + 60_000;
    const change = second.change(before, long);
    first.leave();
    expect(await change).toBe(true);
    expect(await second.change(before, long)).toBe(true);
    expect(await second.change(second.before(), performance.now())).toBe(false);
  });

  test('behavior: what nobody ended counts until it cannot be charged any more', () => {
    let now = 0;
    const inFlight = createInFlight(() => now);
    inFlight.enter(authorization(1, 10n));
    now = 1_059;
    const later = { ...authorization(2, 20n), validBefore: 2_000n };
    expect(inFlight.enter(later).before()).toMatchObject({ count: 1, value: 10n });
    now = 1_060;
    const last = { ...authorization(3, 40n), validBefore: 2_000n };
    expect(inFlight.enter(last).before()).toMatchObject({ count: 1, value: 20n });
  });
});
