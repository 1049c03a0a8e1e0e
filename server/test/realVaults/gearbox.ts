import type { Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { packageCompiled } from './packageCode.ts';
import type { PackagePlan } from './packageScenario.ts';
import { account, OWNER } from './plainScenario.ts';

const ALL = 2n ** 256n - 1n;
const UNIT = 10n ** 6n;
const TREASURY = account(0x7ea5n);
const BORROWER = account(0xb0ffn);

/**
 * Gearbox's PoolV3 with its interest rate model. The value grows with time by interest and quota revenue, a profit
 * mints shares to the treasury, a loss burns them, and withdrawals pay a fee in assets.
 */
export const GEARBOX: PackagePlan = {
  slug: 'gearbox',
  chainId: 31_610,
  decimals: 6,
  async deploy(chain) {
    const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDC', 6]);
    const around = await chain.deploy(OWNER, await npmCompiled('GearboxSurroundings'));
    const rates = await chain.deploy(
      OWNER,
      await packageCompiled('gearbox', 'LinearInterestRateModelV3'),
      [7_000, 9_000, 0, 100, 125, 10_000, false],
    );
    const names = ['Trade USDC', 'dUSDC'];
    const vault = await chain.deploy(OWNER, await packageCompiled('gearbox', 'PoolV3'), [
      ...[around.address, around.address, asset.address, TREASURY, rates.address, ALL, ...names],
    ]);
    const startBlock = chain.tip.number;
    await chain.send(OWNER, around, 'setPool', [vault.address]);
    await chain.send(OWNER, vault, 'setWithdrawFee', [50]);
    await chain.send(OWNER, vault, 'setPoolQuotaKeeper', [around.address]);
    await chain.send(OWNER, vault, 'setCreditManagerDebtLimit', [around.address, ALL]);
    const credit = (fn: string, args: readonly unknown[]) =>
      chain.send(around.address, vault, fn, args);

    async function repay(amount: bigint, profit: bigint, loss: bigint): Promise<Receipt> {
      const paid = amount + profit - loss;
      await chain.send(OWNER, asset, 'mint', [vault.address, paid]);
      return credit('repayCreditAccount', [amount, profit, loss]);
    }

    let turns = 0;
    return {
      vault,
      asset,
      startBlock,
      treasury: TREASURY,
      async turn({ random }) {
        const borrowed = await chain.read(vault, 'totalBorrowed');
        const free = await chain.read(vault, 'availableLiquidity');
        const part = borrowed / BigInt(2 + random.int(3));
        const kind = turns++ % 4;
        if (kind === 1)
          return [await credit('setQuotaRevenue', [BigInt(random.int(9_000)) * UNIT])];
        if (part < UNIT || (kind === 0 && free > UNIT)) {
          return [await credit('lendCreditAccount', [free / 3n, BORROWER])];
        }
        if (kind === 2) return [await repay(part, part / 50n, 0n)];
        return [await repay(part, 0n, part / 90n)];
      },
    };
  },
};
