import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import { findHolderTotals, type HolderTotals } from '../store/positions/holders.ts';
import { getPositionsOf } from '../store/positions/ofAccounts.ts';
import type { Queryable } from '../store/store.ts';
import { compareCustody } from './compareCustody.ts';
import { type Comparison, type FamilyReport, joinReports } from './comparison.ts';
import type { Deployment } from './deployment.ts';
import { explainSupply } from './explainSupply.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import type { StoredPositions } from './rows.ts';
import {
  readShareDistribution,
  type ShareDistribution,
  supplyByTransfers,
} from './shareDistribution.ts';
import type { StoredDeployment } from './storedDeployments.ts';

/** Compares all shares of a family, from transfers, positions, and custody, with each chain's supply. */
export async function compareShareTotals(
  db: Queryable,
  family: FamilyConfig,
  stored: StoredPositions,
  deployments: readonly StoredDeployment[],
): Promise<FamilyReport> {
  const { slug } = family;
  const begun = deployments.filter(({ deployment, block }) => block >= deployment.chain.startBlock);
  const distributions = await Promise.all(
    begun.map(({ deployment, block }) => readable(() => readShareDistribution(deployment, block))),
  );
  const chains = await Promise.all(
    begun.map(async ({ deployment, block }, i) => {
      const where = `chain ${deployment.chain.chainId}, block ${block}`;
      const comparison = compareInvariant(slug, 1, where);
      await compareSupply(comparison, deployment, block, distributions[i]!.supply);
      const custody = await compareCustody(deployment, block, distributions[i]!);
      return joinReports([{ compared: [comparison], unchecked: [] }, custody]);
    }),
  );
  const together = await comparePositions(db, slug, stored, distributions);
  return joinReports([...chains, together]);
}

/**
 * Compares the supply read by calls with that of the transfers. A vault that releases locked profit over time reports
 * its remainder. One that burns shares at the request may count them until they are paid, which the pending shares
 * show.
 */
export async function compareSupply(
  comparison: Comparison,
  deployment: Deployment,
  block: number,
  supply: bigint,
): Promise<void> {
  const freed = await readable(() =>
    deployment.askAt(block)<bigint>(deployment.share, 'unlockedShares() view returns (uint256)'),
  );
  const moved = supplyByTransfers(deployment, block);
  const total = supply + (freed ?? 0n);
  const fits = moved === total || (await countsBurned(deployment, block, total - moved));
  comparison.holds(
    fits
      ? null
      : `transfers since block ${deployment.chain.startBlock} add up to ${moved} shares, the chain reports ${total}: ${await explainSupply(deployment, block, supply)}`,
  );
}

/** Whether these extra shares belong to redemptions that were burned and not paid yet. */
async function countsBurned(deployment: Deployment, block: number, more: bigint): Promise<boolean> {
  if (more <= 0n || !kindOf(deployment.family.adapter).custodyIsAsked) return false;
  const { pendingShares, pendingWallets } = await readable(() =>
    readShareDistribution(deployment, block),
  );
  const { pending, claimable } = pendingShares;
  return [claimable, pending + claimable].some(
    (due) => more >= due - BigInt(pendingWallets) && more <= due + BigInt(pendingWallets),
  );
}

async function comparePositions(
  db: Queryable,
  slug: string,
  { until, sampled, others }: StoredPositions,
  distributions: readonly ShareDistribution[],
): Promise<FamilyReport> {
  const unknown = distributions.find(({ pendingShares }) => pendingShares.unknown !== null)
    ?.pendingShares.unknown;
  const comparison = compareInvariant(slug, 2, `all wallets up to ${toIso(until)}`);
  const systemAccounts = [
    ...new Set(distributions.flatMap(({ accounts }) => accounts.map((one) => one.address))),
  ];
  const held = await getPositionsOf(db, slug, systemAccounts);
  const totals = await findHolderTotals(db, slug);
  if (totals !== undefined) comparison.holds(wrongTotals(totals));
  for (const address of systemAccounts) {
    const shares = held.get(address) ?? 0n;
    comparison.same(`position of ${address}, which is no wallet,`, shares, 0n);
  }
  if (unknown != null) {
    const text = `${slug}, all wallets together: ${unknown}`;
    return { compared: [comparison], unchecked: [text] };
  }
  const served = [...sampled.values()].reduce((sum, { shares }) => sum + shares, others.shares);
  const truth = distributions.reduce((sum, { positions }) => sum + positions, 0n);
  comparison.same('sum of all positions', served, truth);
  return { compared: [comparison], unchecked: [] };
}

/** Compared within the store: the route of the holders serves the total that is stored with the positions. */
function wrongTotals(totals: HolderTotals): string | null {
  const { keptHolders, keptShares, countedHolders, countedShares } = totals;
  if (keptHolders === countedHolders && keptShares === countedShares) return null;
  return `the total of the holders is served as ${keptHolders} with ${keptShares} shares, the positions add up to ${countedHolders} with ${countedShares}`;
}
