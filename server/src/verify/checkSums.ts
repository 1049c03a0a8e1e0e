import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import { findHolderTotals, type HolderTotals } from '../store/positions/holders.ts';
import { getPositionsOf } from '../store/positions/ofAccounts.ts';
import type { Queryable } from '../store/store.ts';
import { checkCustody } from './checkCustody.ts';
import { type Comparison, type FamilyReport, joinReports } from './comparison.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './parts.ts';
import type { StoredPositions } from './rows.ts';
import type { StoredPart } from './storedParts.ts';
import { supplyByTransfers, type Whole, wholeAt } from './whole.ts';
import { whyOther } from './whyOther.ts';

/** Compares all shares of a family, from transfers, positions, and custody, with each chain's supply. */
export async function checkSums(
  db: Queryable,
  family: FamilyConfig,
  stored: StoredPositions,
  parts: readonly StoredPart[],
): Promise<FamilyReport> {
  const { slug } = family;
  const begun = parts.filter(({ part, block }) => block >= part.chain.startBlock);
  const wholes = await Promise.all(
    begun.map(({ part, block }) => readable(() => wholeAt(part, block))),
  );
  const chains = await Promise.all(
    begun.map(async ({ part, block }, i) => {
      const where = `chain ${part.chain.chainId}, block ${block}`;
      const comparison = compareInvariant(slug, 1, where);
      await compareSupply(comparison, part, block, wholes[i]!.supply);
      const custody = await checkCustody(part, block, wholes[i]!);
      return joinReports([{ compared: [comparison], unchecked: [] }, custody]);
    }),
  );
  const together = await comparePositions(db, slug, stored, wholes);
  return joinReports([...chains, together]);
}

/**
 * Compares the supply read by calls with that of the transfers. A vault that releases locked profit over time reports
 * its remainder. One that burns shares at the request may count them until they are paid, which the pending shares
 * show.
 */
export async function compareSupply(
  comparison: Comparison,
  part: FamilyOnChain,
  block: number,
  supply: bigint,
): Promise<void> {
  const freed = await readable(() =>
    part.askAt(block)<bigint>(part.share, 'unlockedShares() view returns (uint256)'),
  );
  const moved = supplyByTransfers(part, block);
  const total = supply + (freed ?? 0n);
  const fits = moved === total || (await countsBurned(part, block, total - moved));
  comparison.holds(
    fits
      ? null
      : `transfers since block ${part.chain.startBlock} add up to ${moved} shares, the chain reports ${total}: ${await whyOther(part, block, supply)}`,
  );
}

/** Whether these extra shares belong to redemptions that were burned and not paid yet. */
async function countsBurned(part: FamilyOnChain, block: number, more: bigint): Promise<boolean> {
  if (more <= 0n || !kindOf(part.family.adapter).custodyIsAsked) return false;
  const { waiting, waiters } = await readable(() => wholeAt(part, block));
  const { pending, claimable } = waiting;
  return [claimable, pending + claimable].some(
    (due) => more >= due - BigInt(waiters) && more <= due + BigInt(waiters),
  );
}

async function comparePositions(
  db: Queryable,
  slug: string,
  { until, sampled, others }: StoredPositions,
  wholes: readonly Whole[],
): Promise<FamilyReport> {
  const unknown = wholes.find(({ waiting }) => waiting.unknown !== null)?.waiting.unknown;
  const comparison = compareInvariant(slug, 2, `all wallets up to ${toIso(until)}`);
  const house = [...new Set(wholes.flatMap(({ accounts }) => accounts.map((one) => one.address)))];
  const held = await getPositionsOf(db, slug, house);
  const totals = await findHolderTotals(db, slug);
  if (totals !== undefined) comparison.holds(wrongTotals(totals));
  for (const address of house) {
    const shares = held.get(address) ?? 0n;
    comparison.same(`position of ${address}, which is no wallet,`, shares, 0n);
  }
  if (unknown != null) {
    const text = `${slug}, all wallets together: ${unknown}`;
    return { compared: [comparison], unchecked: [text] };
  }
  const served = [...sampled.values()].reduce((sum, { shares }) => sum + shares, others.shares);
  const truth = wholes.reduce((sum, { positions }) => sum + positions, 0n);
  comparison.same('sum of all positions', served, truth);
  return { compared: [comparison], unchecked: [] };
}

/** Compared within the store: the route of the holders serves the total that is stored with the positions. */
function wrongTotals(totals: HolderTotals): string | null {
  const { keptHolders, keptShares, countedHolders, countedShares } = totals;
  if (keptHolders === countedHolders && keptShares === countedShares) return null;
  return `the total of the holders is served as ${keptHolders} with ${keptShares} shares, the positions add up to ${countedHolders} with ${countedShares}`;
}
