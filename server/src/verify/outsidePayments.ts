import { type Address, ZERO_ADDRESS } from '../domain/hex.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { Deployment } from './deployment.ts';
import { type ChangedShares, isWorth } from './paidShares.ts';

/** Shares that a transaction minted or burned, and what they were worth. */
interface Change extends Pick<ChangedShares, 'transaction' | 'block' | 'shares'> {
  readonly side: 'minted' | 'burned';
  readonly worth: bigint;
  readonly systemAccounts: readonly Address[];
}

/**
 * Whether shares were paid for between accounts outside the vault, as by another account to a strategy. Proven by the
 * vault's totals: in that block, only these shares changed the supply, and `totalAssets()` changed by what they are
 * worth, which it does not for fees and bridges. If the shares moved on in the transaction, the payment may be for that.
 */
export async function wasPaidOutside(deployment: Deployment, change: Change): Promise<boolean> {
  const { transaction, block, side, shares, worth, systemAccounts } = change;
  const moves = await readAssetMoves(deployment, change, null);
  const isPaid = moves.some(
    ({ from, to, value }) =>
      !systemAccounts.includes(side === 'minted' ? from : to) && isWorth(value, worth),
  );
  if (!isPaid) return false;
  const isTraded = deployment.logs.transfers.some(
    ({ transaction: hash, from, to }) =>
      hash === transaction &&
      ![from, to].includes(ZERO_ADDRESS) &&
      !(systemAccounts.includes(from) && systemAccounts.includes(to)),
  );
  if (isTraded) return false;
  const [before, after] = await Promise.all([
    readTotals(deployment, block - 1),
    readTotals(deployment, block),
  ]);
  if (before === undefined || after === undefined) return false;
  const sign = side === 'minted' ? 1n : -1n;
  const isAlone = sign * (after.supply - before.supply) === shares;
  return isAlone && isWorth(sign * (after.assets - before.assets), worth);
}

async function readTotals({ askAt, chain, share }: Deployment, block: number) {
  const ask = askAt(block);
  const assets = await ask<bigint>(chain.address, 'totalAssets() view returns (uint256)');
  const supply = await ask<bigint>(share, 'totalSupply() view returns (uint256)');
  return assets === undefined || supply === undefined ? undefined : { assets, supply };
}
