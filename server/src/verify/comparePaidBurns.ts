import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { Comparison } from './comparison.ts';
import { type Deployment, vaultsOf } from './deployment.ts';
import { readable } from './deployments.ts';
import { findFeeHolders } from './feeHolders.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';

/** The newest are enough, because each takes a few requests. */
const MAX_EXAMINED = 50;
/** Maximum fee on a payment for shares, in percent. */
const FEES = 10n;

interface Burn {
  readonly transaction: Hex;
  readonly block: number;
  readonly shares: bigint;
  readonly holders: ReadonlySet<Address>;
}

/**
 * Shares that are burned and paid must have a redemption: without one, they count as sent, and their result is missing.
 * Fees, losses, bridges, and locked profits are burned without a redemption too, but without a payment of their value.
 */
export async function comparePaidBurns(deployment: Deployment, block: number): Promise<Comparison> {
  const { family, chain, share } = deployment;
  const comparison = compareInvariant(family.slug, 17, `chain ${chain.chainId}, block ${block}`);
  const custody = await readable(() => kindOf(family.adapter).findCustody(deployment, block));
  const feeHolders = await readable(() => findFeeHolders(deployment, block));
  const systemAccounts = [
    ...new Set([...vaultsOf(chain), share, ...chain.custody, ...custody].map(lower)),
  ];
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
function unnamed({ logs }: Deployment, block: number, feeHolders: readonly Address[]): Burn[] {
  const found = new Map<Hex, Burn>();
  for (const { transaction, block: at, from, to, value } of logs.transfers) {
    if (at > block || to !== ZERO_ADDRESS || from === ZERO_ADDRESS) continue;
    if (feeHolders.includes(from) || logs.exits.has(transaction)) continue;
    const before = found.get(transaction);
    const shares = (before?.shares ?? 0n) + value;
    const holders = new Set([...(before?.holders ?? []), from]);
    found.set(transaction, { transaction, block: at, shares, holders });
  }
  return [...found.values()].slice(-MAX_EXAMINED);
}

/** Whether their value was paid: by the vault and its accounts, or to those who had the shares, by anyone. */
async function wasPaid(deployment: Deployment, burn: Burn, systemAccounts: readonly Address[]) {
  const holders = [...burn.holders].filter((one) => !systemAccounts.includes(one));
  const moves = await readAssetMoves(deployment, burn, [...systemAccounts, ...holders]);
  let [paid, gained] = [0n, 0n];
  for (const { from, to, value } of moves) {
    if (systemAccounts.includes(from) && !systemAccounts.includes(to)) paid += value;
    if (holders.includes(to)) gained += value;
    if (holders.includes(from)) gained -= value;
  }
  if (paid === 0n && gained <= 0n) return false;
  const signature = 'convertToAssets(uint256) view returns (uint256)';
  const worth = await deployment.askAt(burn.block)<bigint>(
    deployment.chain.address,
    signature,
    burn.shares,
  );
  if (worth === undefined) return false;
  return [paid, gained].some((amount) => {
    const off = amount > worth ? amount - worth : worth - amount;
    return amount > 0n && off * 100n <= worth * FEES + 100n;
  });
}
