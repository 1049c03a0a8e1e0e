import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MovementKind } from './movement.ts';
import { EMPTY_POSITION, moved, type Position } from './position.ts';

interface Act {
  readonly kind: MovementKind;
  readonly shares: bigint;
  readonly assets: bigint;
}

const fold = (acts: readonly Act[]) =>
  acts.map((one) => ({ ...one, chainId: 1 })).reduce(moved, EMPTY_POSITION);
const act = (kind: MovementKind, shares: bigint, assets: bigint): Act => ({ kind, shares, assets });

describe('moved', () => {
  test('default', () => {
    const acts = [act('deposit', 100n, 200n), act('deposit', 100n, 300n), act('exit', 50n, 150n)];
    expect(fold(acts)).toMatchObject({ shares: 150n, cost: 375n, realized: 25n });
  });

  test('behavior: shares are counted chain by chain too', () => {
    const on = (chainId: number, kind: MovementKind, shares: bigint) => ({
      chainId,
      kind,
      shares,
      assets: 0n,
    });
    const moves = [on(1, 'deposit', 5n), on(10, 'received', 3n), on(1, 'sent', 2n)];
    expect(moves.reduce(moved, EMPTY_POSITION).sharesOn).toEqual(
      new Map([
        [1, 3n],
        [10, 3n],
      ]),
    );
  });

  test('behavior: cost that leaves is rounded down', () => {
    expect(fold([act('deposit', 3n, 10n), act('exit', 1n, 4n)])).toMatchObject({
      shares: 2n,
      cost: 7n,
      realized: 1n,
    });
  });

  test('behavior: shares sent take their cost along and realize nothing', () => {
    expect(fold([act('deposit', 4n, 10n), act('sent', 1n, 0n)])).toMatchObject({
      shares: 3n,
      cost: 8n,
      realized: 0n,
    });
  });

  test('behavior: the last share takes all the cost that is left', () => {
    const acts = [act('deposit', 3n, 10n), act('sent', 1n, 0n), act('exit', 2n, 9n)];
    expect(fold(acts)).toMatchObject({ shares: 0n, cost: 0n, realized: 2n });
  });

  test('behavior: assets paid for no shares add no cost to an empty balance', () => {
    expect(fold([act('deposit', 0n, 5n)])).toMatchObject({ shares: 0n, cost: 0n, realized: 0n });
    expect(fold([act('deposit', 1n, 5n), act('deposit', 0n, 5n)]).cost).toBe(10n);
  });

  test('behavior: more shares sent than received', () => {
    const position = fold([act('deposit', 2n, 10n), act('exit', 5n, 30n)]);
    expect(position).toMatchObject({ shares: -3n, cost: 0n, realized: 20n });
  });

  test('behavior: exact beyond 2^53', () => {
    const much = 10n ** 77n;
    const position = fold([act('deposit', much, much - 1n), act('exit', 1n, 1n)]);
    expect(position).toMatchObject({ shares: much - 1n, cost: much - 1n, realized: 1n });
  });

  test('behavior: never drifts from exact fractions', () => {
    const kinds = fc.constantFrom<MovementKind>('deposit', 'exit', 'received', 'sent');
    const wish = fc.record({
      kind: kinds,
      shares: fc.bigInt(1n, 10n ** 24n),
      assets: fc.bigInt(0n, 10n ** 24n),
    });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 40 }), (wishes) => {
        let position: Position = EMPTY_POSITION;
        let shares = 0n;
        let paid = 0n;
        let got = 0n;
        let left = 0n;
        // The cost as an exact fraction n/d.
        let [n, d] = [0n, 1n];
        let outs = 0n;
        for (const asked of wishes) {
          const isIn = asked.kind === 'deposit' || asked.kind === 'received';
          if (!isIn && shares === 0n) continue;
          const amount = isIn || asked.shares < shares ? asked.shares : shares;
          const before = position;
          position = moved(position, { ...asked, shares: amount, chainId: 1 });
          if (isIn) {
            paid += asked.assets;
            n += asked.assets * d;
            shares += amount;
          } else {
            n *= shares - amount;
            d *= shares;
            outs++;
            shares -= amount;
            if (asked.kind === 'exit') got += asked.assets;
            else left += before.cost - position.cost;
          }
          expect(position.shares).toBe(shares);
          if (shares === 0n) {
            expect(position.cost).toBe(0n);
            [n, d, outs] = [0n, 1n, 0n];
          }
          // A removed cost is rounded down, so the rest is never less, and above the exact cost by less than one unit
          // per removal.
          expect(position.cost * d >= n).toBe(true);
          expect(position.cost * d <= n + outs * d).toBe(true);
          // Costs add up: each is held, realized, or left with transferred shares.
          expect(position.cost + (got - position.realized) + left).toBe(paid);
        }
      }),
      { numRuns: 300 },
    );
  });
});
