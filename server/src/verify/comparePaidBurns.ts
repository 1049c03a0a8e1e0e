import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { Comparison } from './comparison.ts';
import type { Deployment } from './deployment.ts';
import { findFeeHolders } from './feeHolders.ts';
import { compareInvariant } from './invariants.ts';
import { readable } from './notReadable.ts';
import { wasPaidOutside } from './outsidePayments.ts';
import {
  type ChangedShares,
  findSystemAccounts,
  isWorth,
  joinByTransaction,
  readWorth,
} from './paidShares.ts';

/**
 * Shares that are burned and paid must have a redemption: without one, they count as sent, and their result is missing.
 * Fees, losses, bridges, and locked profits are burned without a redemption too, but without a payment of their value.
 */
export async function comparePaidBurns(deployment: Deployment, block: number): Promise<Comparison> {
  const { family, chain } = deployment;
  const comparison = compareInvariant(family.slug, 17, `chain ${chain.chainId}, block ${block}`);
  const systemAccounts = await findSystemAccounts(deployment, block);
  const feeHolders = await readable(() => findFeeHolders(deployment, block));
  const paid: Hex[] = [];
  for (const burn of unnamed(deployment, block, feeHolders)) {
    const isPaid = await readable(() => wasPaid(deployment, burn, systemAccounts));
    if (isPaid) paid.push(burn.transaction);
    comparison.holds(null);
  }
  if (paid.length === 0) return comparison;
  comparison.holds(
    `${paid.length} transactions paid for burned shares without a redemption, such as ${paid[0]}: these redemptions are missing`,
  );
  return comparison;
}

/** Burns of shares that were not taken as a fee, in transactions without a redemption. */
function unnamed(
  { logs }: Deployment,
  block: number,
  feeHolders: readonly Address[],
): ChangedShares[] {
  const burns = logs.transfers.filter(({ transaction, block: at, from, to }) => {
    if (at > block || to !== ZERO_ADDRESS || from === ZERO_ADDRESS) return false;
    return !feeHolders.includes(from) && !logs.exits.has(transaction);
  });
  return joinByTransaction(burns, ({ from }) => from);
}

/** Whether their value was paid: by the vault and its accounts, to those who had the shares, or elsewhere. */
async function wasPaid(
  deployment: Deployment,
  burn: ChangedShares,
  systemAccounts: readonly Address[],
): Promise<boolean> {
  const holders = [...burn.accounts].filter((one) => !systemAccounts.includes(one));
  const moves = await readAssetMoves(deployment, burn, [...systemAccounts, ...holders]);
  let [paid, gained] = [0n, 0n];
  for (const { from, to, value } of moves) {
    if (systemAccounts.includes(from) && !systemAccounts.includes(to)) paid += value;
    if (holders.includes(to)) gained += value;
    if (holders.includes(from)) gained -= value;
  }
  const worth = await readWorth(deployment, burn);
  if (worth === undefined) return false;
  if ([paid, gained].some((amount) => isWorth(amount, worth))) return true;
  return wasPaidOutside(deployment, { ...burn, side: 'burned', worth, systemAccounts });
}
