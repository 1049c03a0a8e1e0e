import { parseEventLogs } from 'viem';
import type { Receipt } from './chain.ts';
import { ADJUST_FACTOR, deployExactly, TREASURY } from './exactlyDeploy.ts';
import type { PackagePlan, TurnWorld } from './packageScenario.ts';
import { account, OWNER } from './plainScenario.ts';

const ALL = 2n ** 256n - 1n;
const UNIT = 10n ** 6n;
const INTERVAL = 4 * 7 * 86_400;
const BORROWER = account(0xb0ffn);
const LIQUIDATOR = account(0x119dn);

/**
 * Exactly's market: floating and fixed loans against shares as collateral, a fee that the treasury receives in shares
 * without a Deposit, and liquidations, whose Withdraw pays the borrower's shares out to the liquidator.
 */
export const EXACTLY: PackagePlan = {
  slug: 'exactly',
  chainId: 31_620,
  decimals: 6,
  async deploy(chain) {
    const { asset, auditor, market, startBlock } = await deployExactly(chain);
    const borrow = (fn: string, args: readonly unknown[]) => chain.send(BORROWER, market, fn, args);
    let turns = 0;

    async function pledge({ acts }: TurnWorld): Promise<Receipt> {
      await acts.fund(BORROWER, 10_000_000n * UNIT);
      await acts.deposit(BORROWER, 20_000n * UNIT);
      await chain.send(BORROWER, auditor, 'enterMarket', [market.address]);
      return borrow('borrow', [10_000n * UNIT, BORROWER, BORROWER]);
    }

    /** Repays half of `amount`; borrows it if there is nothing to repay, as after a reorg or the end of a period. */
    async function repayAtMaturity(maturity: number, amount: bigint): Promise<Receipt> {
      const read = chain.read<readonly bigint[]>;
      const [principal] = await read(market, 'fixedBorrowPositions', [maturity, BORROWER]);
      return principal === 0n
        ? borrow('borrowAtMaturity', [maturity, amount, ALL, BORROWER, BORROWER])
        : borrow('repayAtMaturity', [maturity, amount / 2n, ALL, BORROWER]);
    }

    /** Lowers the weight of the borrower's collateral for a moment, and another account liquidates part of the loan. */
    async function liquidate({ acts, book }: TurnWorld): Promise<Receipt> {
      await acts.fund(LIQUIDATOR, 1_000_000n * UNIT);
      await chain.send(OWNER, auditor, 'setAdjustFactor', [
        market.address,
        (ADJUST_FACTOR * 2n) / 3n,
      ]);
      const args = [BORROWER, 500n * UNIT, market.address];
      const receipt = await chain.send(LIQUIDATOR, market, 'liquidate', args);
      await chain.send(OWNER, auditor, 'setAdjustFactor', [market.address, ADJUST_FACTOR]);
      const [log] = parseEventLogs({
        abi: market.abi,
        eventName: 'Withdraw',
        logs: receipt.logs as never,
      }) as unknown as { args: { assets: bigint; shares: bigint } }[];
      const { assets, shares } = log!.args;
      const { block, time, hash } = receipt;
      const at = { family: 'exactly', chainId: chain.chainId, block, time };
      const paid = { type: 'withdraw', user: LIQUIDATOR, assets, shares } as const;
      book.note({ ...at, vault: market.address, tx: hash, ...paid });
      book.move({ ...at, wallet: BORROWER, kind: 'exit', shares, assets });
      return receipt;
    }

    return {
      vault: market,
      asset,
      startBlock,
      treasury: TREASURY,
      async turn(world) {
        const turn = turns++;
        if (turn === 0) return [await pledge(world)];
        if (turn === 3) return [await liquidate(world)];
        const amount = BigInt(100 + world.random.int(400)) * UNIT;
        const maturity = chain.tip.time - (chain.tip.time % INTERVAL) + 2 * INTERVAL;
        switch (turn % 4) {
          case 1:
            return [await borrow('borrowAtMaturity', [maturity, amount, ALL, BORROWER, BORROWER])];
          case 2:
            return [await borrow('repay', [amount, BORROWER])];
          case 3:
            return [await repayAtMaturity(maturity, amount)];
          default:
            return [await borrow('borrow', [amount, BORROWER, BORROWER])];
        }
      },
    };
  },
};
