import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { Comparison } from './comparison.ts';
import type { Deployment } from './deployment.ts';
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

/** A transaction that mints to more accounts is a distribution. */
const MAX_BUYERS = 20;

/**
 * Paid shares must have a deposit: without one, their cost is 0, and their gains are wrong. Fees, locked profits,
 * bridges, and gifts are minted without a deposit too, but without a payment of their value.
 */
export async function comparePaidMints(deployment: Deployment, block: number): Promise<Comparison> {
  const { family, chain } = deployment;
  const comparison = compareInvariant(family.slug, 13, `chain ${chain.chainId}, block ${block}`);
  const systemAccounts = await findSystemAccounts(deployment, block);
  const bought: Hex[] = [];
  for (const mint of unnamed(deployment, block, systemAccounts)) {
    const isBought = await readable(() => wasBought(deployment, mint, systemAccounts));
    if (isBought) bought.push(mint.transaction);
    comparison.holds(null);
  }
  if (bought.length === 0) return comparison;
  comparison.holds(
    `${bought.length} transactions minted paid shares without a deposit, such as ${bought[0]}: their cost is served as 0`,
  );
  return comparison;
}

/** Mints to other accounts than the system's, in transactions without a deposit. */
function unnamed(
  { logs }: Deployment,
  block: number,
  systemAccounts: readonly Address[],
): ChangedShares[] {
  const mints = logs.transfers.filter(({ transaction, block: at, from, to }) => {
    if (at > block || from !== ZERO_ADDRESS || to === ZERO_ADDRESS) return false;
    return !systemAccounts.includes(to) && !logs.deposits.has(transaction);
  });
  return joinByTransaction(mints, ({ to }) => to);
}

/** Whether their value was paid: to the vault and its accounts, by those who got the shares, or elsewhere. */
async function wasBought(
  deployment: Deployment,
  mint: ChangedShares,
  systemAccounts: readonly Address[],
): Promise<boolean> {
  const buyers = mint.accounts.size > MAX_BUYERS ? [] : [...mint.accounts];
  const moves = await readAssetMoves(deployment, mint, [...systemAccounts, ...buyers]);
  let [received, spent] = [0n, 0n];
  for (const { from, to, value } of moves) {
    if (systemAccounts.includes(to) && !systemAccounts.includes(from)) received += value;
    if (buyers.includes(from)) spent += value;
    if (buyers.includes(to)) spent -= value;
  }
  const worth = await readWorth(deployment, mint);
  if (worth === undefined) return received > 0n;
  if ([received, spent].some((paid) => isWorth(paid, worth))) return true;
  return wasPaidOutside(deployment, { ...mint, side: 'minted', worth, systemAccounts });
}
