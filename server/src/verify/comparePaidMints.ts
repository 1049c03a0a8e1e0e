import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { Comparison } from './comparison.ts';
import { type Deployment, vaultsOf } from './deployment.ts';
import { readable } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';

/** The newest are enough, because each takes a few requests. */
const MAX_EXAMINED = 50;
/** A transaction that mints to more accounts is a distribution. */
const MAX_BUYERS = 20;
/** Maximum fee on a payment for shares, in percent. */
const FEES = 10n;

interface Mint {
  readonly transaction: Hex;
  readonly block: number;
  readonly shares: bigint;
  readonly receivers: ReadonlySet<Address>;
}

/**
 * Paid shares must have a deposit: without one, their cost is 0, and their gains are wrong. Fees, locked profits,
 * bridges, and gifts are minted without a deposit too, but without a payment of their value.
 */
export async function comparePaidMints(deployment: Deployment, block: number): Promise<Comparison> {
  const { family, chain, share } = deployment;
  const comparison = compareInvariant(family.slug, 13, `chain ${chain.chainId}, block ${block}`);
  const found = await readable(() => kindOf(family.adapter).findCustody(deployment, block));
  const systemAccounts = [
    ...new Set([...vaultsOf(chain), share, ...chain.custody, ...found].map(lower)),
  ];
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
function unnamed({ logs }: Deployment, block: number, systemAccounts: readonly Address[]): Mint[] {
  const found = new Map<Hex, Mint>();
  for (const { transaction, block: at, from, to, value } of logs.transfers) {
    if (at > block || from !== ZERO_ADDRESS || to === ZERO_ADDRESS) continue;
    if (systemAccounts.includes(to) || logs.deposits.has(transaction)) continue;
    const before = found.get(transaction);
    const shares = (before?.shares ?? 0n) + value;
    const receivers = new Set([...(before?.receivers ?? []), to]);
    found.set(transaction, { transaction, block: at, shares, receivers });
  }
  return [...found.values()].slice(-MAX_EXAMINED);
}

/** Whether their value was paid: to the vault and its accounts, or by those who got the shares, to anyone. */
async function wasBought(deployment: Deployment, mint: Mint, systemAccounts: readonly Address[]) {
  const buyers = mint.receivers.size > MAX_BUYERS ? [] : [...mint.receivers];
  const moves = await readAssetMoves(deployment, mint, [...systemAccounts, ...buyers]);
  let [received, spent] = [0n, 0n];
  for (const { from, to, value } of moves) {
    if (systemAccounts.includes(to) && !systemAccounts.includes(from)) received += value;
    if (buyers.includes(from)) spent += value;
    if (buyers.includes(to)) spent -= value;
  }
  const payments = [received, spent].filter((paid) => paid > 0n);
  if (payments.length === 0) return false;
  const signature = 'convertToAssets(uint256) view returns (uint256)';
  const worth = await deployment.askAt(mint.block)<bigint>(
    deployment.chain.address,
    signature,
    mint.shares,
  );
  if (worth === undefined) return received > 0n;
  return payments.some((paid) => {
    const off = paid > worth ? paid - worth : worth - paid;
    return off * 100n <= worth * FEES + 100n;
  });
}
