import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../../../../scripts/test/extents.mjs';
import { ACT, movementsOf, play, WALLETS } from '../../../../test/walletActs.ts';
import { EMPTY_POSITION, moved } from '../position.ts';
import { COST_METHODS, type CostMethod } from './costMethod.ts';
import type { DatedMove } from './lot.ts';
import { createLotBook, type LotChange } from './lotBook.ts';

const RUNS = LONG ? 10_000 : FULL ? 100 : 40;
const SEED = Number(process.env.ASSAY_SEED ?? 20_261_119);

let clock = 0;
function move(kind: DatedMove['kind'], shares: bigint, assets: bigint): DatedMove {
  return { kind, shares, assets, chainId: 1, at: clock++ };
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}

/** Adds all movements and checks the invariants after each. */
function playMoves(method: CostMethod, moves: readonly DatedMove[]) {
  const book = createLotBook(method);
  const changes: LotChange[] = [];
  let sentCost = 0n;
  for (const one of moves) {
    const before = book.position();
    const change = book.add(one);
    changes.push(change);
    const after = book.position();
    const lots = book.lots();
    expect(sum(lots, ({ cost }) => cost)).toBe(after.cost);
    expect(sum(lots, ({ shares }) => shares)).toBe(after.shares < 0n ? 0n : after.shares);
    expect(lots.every(({ cost, shares }) => cost >= 0n && shares >= 0n)).toBe(true);
    expect(change.cost).toBe(after.cost - before.cost);
    if (one.kind === 'deposit' || one.kind === 'received') continue;
    const { parts } = change;
    expect(sum(parts, ({ shares }) => shares)).toBe(one.shares);
    expect(sum(parts, ({ cost }) => cost)).toBe(-change.cost);
    expect(sum(parts, ({ assets }) => assets)).toBe(one.assets);
    if (one.kind === 'exit') {
      expect(change.result).toBe(one.assets + change.cost);
    } else {
      expect(change.result).toBeNull();
      sentCost -= change.cost;
    }
  }
  return { changes, sentCost, position: book.position(), lots: book.lots() };
}

/** Returns the total gain at a value of the remaining shares; it must not depend on the method. */
function gainOf({ position, sentCost }: ReturnType<typeof playMoves>, value: bigint): bigint {
  return position.realized + (value - position.cost) - sentCost;
}

function checkAll(moves: readonly DatedMove[]): void {
  const wanted = moves.reduce((position, one) => moved(position, one), EMPTY_POSITION);
  const gains = COST_METHODS.map((method) => {
    const played = playMoves(method, moves);
    expect(played.position.shares).toBe(wanted.shares);
    expect(played.position.sharesOn).toEqual(wanted.sharesOn);
    if (method === 'average') expect(played.position).toEqual(wanted);
    return gainOf(played, 1_000_003n);
  });
  expect(new Set(gains).size).toBe(1);
}

const BOUGHT = () => [
  move('deposit', 100n, 100n),
  move('deposit', 100n, 300n),
  move('received', 100n, 200n),
];

describe('lotBook', () => {
  test.each([
    ['average', [-300n], 0n],
    ['fifo', [-250n], 50n],
    ['lifo', [-350n], -50n],
    ['hifo', [-400n], -100n],
  ] as const)('default: %s', (method, costs, result) => {
    const { changes } = playMoves(method, [...BOUGHT(), move('exit', 150n, 300n)]);
    expect(changes.slice(3).map(({ cost }) => cost)).toEqual(costs);
    expect(changes[3]!.result).toBe(result);
  });

  test('behavior: of equal costs per share, hifo takes the oldest', () => {
    const { lots } = playMoves('hifo', [
      move('deposit', 3n, 6n),
      move('deposit', 5n, 10n),
      move('exit', 3n, 0n),
    ]);
    expect(lots.map(({ number, shares }) => [number, shares])).toEqual([[1, 5n]]);
  });

  test('behavior: hifo compares costs per share that floats cannot distinguish', () => {
    const huge = 10n ** 30n;
    const { lots } = playMoves('hifo', [
      move('deposit', huge, huge),
      move('deposit', huge, huge + 1n),
      move('exit', huge, 0n),
    ]);
    expect(lots.map(({ number }) => number)).toEqual([0]);
  });

  test('behavior: a part of a lot takes its cost rounded down, and the rest of the lot keeps the remainder', () => {
    const { changes, lots } = playMoves('fifo', [move('deposit', 3n, 10n), move('exit', 1n, 4n)]);
    expect(changes[1]).toMatchObject({ cost: -3n, result: 1n });
    expect(lots).toMatchObject([{ shares: 2n, cost: 7n }]);
  });

  test('behavior: shares sent take lots in the order of the method, without a result', () => {
    const { changes } = playMoves('lifo', [...BOUGHT(), move('sent', 150n, 0n)]);
    expect(changes[3]).toMatchObject({
      cost: -350n,
      result: null,
      parts: [
        { lot: { number: 2 }, shares: 100n, cost: 200n },
        { lot: { number: 1 }, shares: 50n, cost: 150n },
      ],
    });
  });

  test('behavior: shares that were never received leave without a lot', () => {
    const { changes, lots } = playMoves('fifo', [
      move('deposit', 10n, 20n),
      move('exit', 30n, 60n),
      move('deposit', 5n, 7n),
      move('deposit', 30n, 60n),
    ]);
    expect(changes[1]!.parts).toMatchObject([
      { lot: { number: 0 }, shares: 10n, cost: 20n, assets: 20n },
      { lot: null, shares: 20n, cost: 0n, assets: 40n },
    ]);
    expect(lots).toMatchObject([
      { shares: 0n, cost: 7n },
      { shares: 15n, cost: 60n },
    ]);
  });
});

const RAW: fc.Arbitrary<DatedMove> = fc.record({
  kind: fc.constantFrom('deposit', 'exit', 'received', 'sent'),
  shares: fc.bigInt({ min: 0n, max: 1_000n }),
  assets: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  chainId: fc.constantFrom(1, 10),
  at: fc.constant(0),
});

describe(`lots (seed ${SEED})`, () => {
  test('behavior: they add up, and gains are equal under every method, for any movements at all', () => {
    fc.assert(
      fc.property(fc.array(RAW, { maxLength: 40 }), (moves) =>
        checkAll(moves.map((one) => (one.kind === 'sent' ? { ...one, assets: 0n } : one))),
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('behavior: likewise with routers, queues, cancels, and chains that lose their last blocks', () => {
    let disposed = 0;
    fc.assert(
      fc.property(
        fc.array(ACT, { minLength: 1, maxLength: 60, size: 'max' }),
        fc.array(ACT, { maxLength: 20 }),
        fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }),
        (acts, later, kept) => {
          const chains = play([...acts, ...later]).map((chain, at) => ({
            ...chain,
            transactions: chain.transactions.slice(0, kept[at]),
          }));
          const all = movementsOf(chains, 7, [0, 1, 2]);
          for (const wallet of WALLETS) {
            const moves = all
              .filter((one) => one.wallet === wallet)
              .map((one) => ({ ...one, chainId: one.place.chainId, at: one.place.blockTime }));
            disposed += moves.filter(({ kind }) => kind === 'exit').length;
            checkAll(moves);
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    expect(disposed).toBeGreaterThan(RUNS);
  });
});
