import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../../scripts/test/extents.mjs';
import { ACT, movementsOf, play, WALLETS } from '../../../../test/walletActs.ts';
import type { Address } from '../../hex.ts';
import type { Movement } from '../movement.ts';
import { COST_METHODS } from './costMethod.ts';
import { type PlacedMove, withoutOwnTransfers } from './ownTransfers.ts';
import { flowsOf, statementOf } from './statement.ts';

const RUNS = LONG ? 10_000 : 40;
const SEED = Number(process.env.ASSAY_SEED ?? 20_261_120);

const dated = (movement: Movement): PlacedMove => ({
  ...movement,
  ...movement.place,
  at: movement.place.blockTime,
});

const ACTS = fc.array(ACT, { minLength: 1, maxLength: 60, size: 'max' });

describe(`statement (seed ${SEED})`, () => {
  test('behavior: opening plus all flows is closing, in shares and in cost, in every period', () => {
    fc.assert(
      fc.property(ACTS, fc.nat(60), (acts, after) => {
        const all = movementsOf(play(acts), 5, [0, 1, 2]).map(dated);
        for (const wallet of WALLETS) {
          const moves = all.filter((one) => one.wallet === wallet);
          for (const method of COST_METHODS) {
            const { opening, closing, entries } = statementOf(moves, method, 1_000 + after);
            const { deposit, received, reward, exit, fee, sent } = flowsOf(entries);
            const gained = deposit.shares + received.shares + reward.shares;
            const lost = exit.shares + fee.shares + sent.shares;
            expect(opening.shares + gained - lost).toBe(closing.shares);
            const flows = [deposit, received, reward, exit, fee, sent];
            const cost = flows.reduce((sum, flow) => sum + flow.cost, 0n);
            expect(opening.cost + cost).toBe(closing.cost);
            expect(exit.realized + fee.realized).toBe(closing.realized - opening.realized);
            expect(reward.assets + fee.assets + sent.assets).toBe(0n);
          }
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('behavior: of several wallets, transfers between them net to zero, and the shares stay theirs', () => {
    let netted = 0;
    fc.assert(
      fc.property(ACTS, (acts) => {
        const all = movementsOf(play(acts), 5, [0, 1, 2]).map(dated);
        const kept = withoutOwnTransfers(all);
        netted += all.length - kept.length;
        // The statement covers all wallets, so the receiver of every transfer is one of them.
        expect(kept.filter(({ kind }) => kind === 'sent')).toEqual([]);
        const before = statementOf(all, 'fifo', 0).closing;
        const after = statementOf(kept, 'fifo', 0).closing;
        expect(after.shares).toBe(before.shares);
        expect(new Map([...after.sharesOn].filter(([, shares]) => shares !== 0n))).toEqual(
          new Map([...before.sharesOn].filter(([, shares]) => shares !== 0n)),
        );
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(netted).toBeGreaterThan(RUNS);
  });

  test('behavior: only both sides of one log are a transfer between own wallets', () => {
    const [alice, bob] = WALLETS as [Address, Address];
    const move = (wallet: Address, kind: PlacedMove['kind'], shares: bigint, logIndex: number) => ({
      ...{ wallet, kind, shares, assets: 0n, at: 1, logIndex },
      ...{ blockTime: 1, chainId: 1, blockNumber: 1 },
    });
    const elsewhere = [move(alice, 'sent', 5n, 0), move(bob, 'received', 5n, 1)];
    const unequal = [move(alice, 'sent', 5n, 2), move(bob, 'received', 4n, 2)];
    const toItself = [move(alice, 'sent', 5n, 3), move(alice, 'received', 5n, 3)];
    const own = [move(alice, 'sent', 5n, 4), move(bob, 'received', 5n, 4)];
    const others = [...elsewhere, ...unequal, ...toItself];
    expect(withoutOwnTransfers([...others, ...own])).toEqual(others);
  });
});
