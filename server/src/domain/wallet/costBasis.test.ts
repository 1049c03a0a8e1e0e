import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import {
  ACT,
  type Chain,
  type Entry,
  get,
  movementsOf,
  play,
  WALLETS,
} from '../../../test/walletActs.ts';
import { comparePlaces } from '../order.ts';
import { EMPTY_POSITION, moved } from './position.ts';

const RUNS = LONG ? 10_000 : 400;
const SEED = Number(process.env.ASSAY_SEED ?? 20_261_115);

/** Applies the rules from the first entry on, with the cost as an exact fraction. */
function modelOf(entries: readonly Entry[]) {
  let [shares, cost, realized] = [0n, 0n, 0n];
  let [n, d, roundings] = [0n, 1n, 0n];
  for (const entry of entries) {
    if ('in' in entry) {
      shares += entry.in;
      cost += entry.cost;
      n += entry.cost * d;
    } else if (entry.out > 0n || entry.paid !== null) {
      const leaves = shares === 0n ? cost : (cost * entry.out) / shares;
      if (entry.paid !== null) realized += entry.paid - leaves;
      n *= shares - entry.out;
      d *= shares === 0n ? 1n : shares;
      shares -= entry.out;
      cost -= leaves;
      roundings++;
    }
    // An empty balance has no cost.
    if (shares === 0n) [cost, n, d, roundings] = [0n, 0n, 1n, 0n];
  }
  return { shares, cost, realized, exact: { n, d, roundings } };
}

/** Folds with the code under test, in one global order. */
function positionsOf(chains: readonly Chain[], step: number, arrival: readonly number[]) {
  const movements = movementsOf(chains, step, arrival);
  return WALLETS.map((wallet) =>
    movements
      .filter((one) => one.wallet === wallet)
      .map((one) => ({ ...one, chainId: one.place.chainId }))
      .reduce(moved, EMPTY_POSITION),
  );
}

describe(`cost basis (seed ${SEED})`, () => {
  test('behavior: matches a plain model of all activity on several chains', () => {
    const kinds = new Set<number>();
    fc.assert(
      fc.property(
        fc.array(ACT, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
        (acts, step, arrival) => {
          for (const { kind } of acts) kinds.add(kind);
          const chains = play(acts);
          const transactions = chains.flatMap((chain) => chain.transactions);
          transactions.sort((a, b) => comparePlaces(a.place, b.place));
          const entries = transactions.flatMap((one) => one.entries);
          const positions = positionsOf(chains, step, arrival);
          for (const [i, wallet] of WALLETS.entries()) {
            const { exact, ...wanted } = modelOf(entries.filter((one) => one.wallet === wallet));
            expect(positions[i]).toMatchObject(wanted);
            // A wallet owns its balance plus its queued shares on all chains.
            const owned = chains.reduce(
              (sum, { held, queued }) => sum + get(held, wallet) + get(queued, wallet),
              0n,
            );
            expect(positions[i]!.shares).toBe(owned);
            // A removed cost is rounded down, so the rest is never below the exact cost, and above it by less than one
            // unit per removal.
            const off = positions[i]!.cost * exact.d - exact.n;
            expect(off >= 0n && off <= exact.roundings * exact.d).toBe(true);
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    expect(kinds.size).toBe(14);
  }, 600_000);
});
