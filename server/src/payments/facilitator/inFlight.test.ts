import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Address } from '../../domain/hex.ts';
import type { Authorization } from '../authorization/payment.ts';
import { createInFlight, type Position, type Preceding } from './inFlight.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const A: Address = `0x${'aa'.repeat(20)}`;

function authorization(nonce: number, value: bigint, from = A): Authorization {
  const word = nonce.toString(16).padStart(64, '0');
  return { from, to: A, value, validAfter: 0n, validBefore: 1_000n, nonce: `0x${word}` };
}

describe('inFlight', () => {
  test('default: each payment is behind the earlier ones', () => {
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

  test('behavior: copies of one authorization count as one payment', () => {
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

  test('behavior: a mined payment keeps its position, but reserves no balance', async () => {
    const inFlight = createInFlight(() => 0);
    const first = inFlight.enter(authorization(1, 10n));
    inFlight.enter(authorization(1, 10n));
    const other = inFlight.enter(authorization(2, 20n));
    const before = other.before();
    first.mined();
    expect(other.before()).toMatchObject({ count: 1, value: 0n });
    expect(await other.change(before, performance.now())).toBe(true);
  });

  test('behavior: reports a change, including one before the wait', async () => {
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

  test('behavior: an entry without a reported result counts until it can no longer be charged', () => {
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

  test('behavior: sums match a plain count in any order of events', () => {
    const step = fc.record({
      kind: fc.constantFrom('enter', 'enter', 'enter', 'leave', 'mined'),
      nonce: fc.nat(12),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const inFlight = createInFlight(() => 0);
        let live: { readonly nonce: number; readonly position: Position; value: bigint }[] = [];
        for (const { kind, nonce, at } of steps) {
          const value = BigInt(nonce + 1);
          const one = live[at % live.length];
          if (kind === 'enter' || one === undefined) {
            const copy = live.find((other) => other.nonce === nonce);
            const position = inFlight.enter(authorization(nonce, value));
            live.push({ nonce, position, value: copy?.value ?? value });
          } else if (kind === 'leave') {
            one.position.leave();
            live = live.filter((other) => other !== one);
          } else {
            one.position.mined();
            for (const other of live) if (other.nonce === one.nonce) other.value = 0n;
          }
        }
        for (const [i, { nonce, position }] of live.entries()) {
          const earlier = new Map(live.slice(0, i).map((one) => [one.nonce, one.value]));
          earlier.delete(nonce);
          const value = [...earlier.values()].reduce((sum, one) => sum + one, 0n);
          expect(position.before()).toMatchObject({ count: earlier.size, value });
        }
      }),
    );
  });

  test('behavior: of one nonce the larger value counts', () => {
    const inFlight = createInFlight(() => 0);
    inFlight.enter(authorization(1, 10n));
    inFlight.enter(authorization(1, 30n));
    inFlight.enter(authorization(1, 20n));
    expect(inFlight.enter(authorization(2, 1n)).before()).toMatchObject({ count: 1, value: 30n });
  });

  /** Returns how many attempts a thousand payments of one payer make, if four may be in flight. */
  async function crowd(needsMoney: boolean, end: (position: Position) => void) {
    const inFlight = createInFlight(() => 0);
    const until = performance.now() + 600_000;
    const hasRoom = ({ count }: Preceding) => count < 4;
    let tries = 0;
    const flying: Position[] = [];
    const all = Array.from({ length: 1_000 }, (_, i) => inFlight.enter(authorization(i, 1n))).map(
      async (position) => {
        for (;;) {
          const before = position.before();
          tries++;
          const short = needsMoney && before.count > 0;
          if (hasRoom(before) && !short) break;
          await position.change(before, until, short ? undefined : hasRoom);
        }
        position.passed();
        flying.push(position);
      },
    );
    for (let ended = 0; ended < all.length; ended++) {
      await vi.waitFor(() => expect(flying.length).toBeGreaterThan(0), { interval: 1 });
      end(flying.shift()!);
    }
    await Promise.all(all);
    return tries;
  }

  test('behavior: of a thousand that wait for room, each wakes once', async () => {
    expect(await crowd(false, (position) => position.leave())).toBeLessThanOrEqual(2_000);
  }, 60_000);

  test('behavior: of a thousand that wait for balance, one wakes per change', async () => {
    const tries = await crowd(true, (position) => {
      position.mined();
      position.leave();
    });
    expect(tries).toBeLessThanOrEqual(4_000);
  }, 60_000);

  test('behavior: those that need balance wake in order, the next when one has passed', async () => {
    const inFlight = createInFlight(() => 0);
    const woken: number[] = [];
    const [first, ...others] = [1, 2, 3].map((nonce) => inFlight.enter(authorization(nonce, 1n)));
    const until = performance.now() + 60_000;
    // Later ones may join the queue first.
    const waits = others.reverse().map((position) => position.change(position.before(), until));
    void waits[1]!.then(() => woken.push(2));
    void waits[0]!.then(() => woken.push(3));
    first!.leave();
    await waits[1];
    expect(woken).toEqual([2]);
    others[1]!.passed();
    await waits[0];
    expect(woken).toEqual([2, 3]);
  });

  test('behavior: the queue is bounded, and payments in flight are not in it', async () => {
    const inFlight = createInFlight(() => 0, 2);
    const first = inFlight.enter(authorization(1, 1n));
    let room = false;
    const waits = [2, 3].map((nonce) => {
      expect(inFlight.isFull(A)).toBe(false);
      const position = inFlight.enter(authorization(nonce, 1n));
      return position.change(position.before(), performance.now() + 60_000, () => room);
    });
    expect(inFlight.isFull(A)).toBe(true);
    expect(inFlight.isFull(`0x${'bb'.repeat(20)}`)).toBe(false);
    room = true;
    first.leave();
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(inFlight.isFull(A)).toBe(false);
  });
});
