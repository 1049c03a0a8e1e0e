import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { toIso } from '../domain/time.ts';
import type { FamilyReport } from './comparison.ts';
import { compareInvariant } from './invariants.ts';
import { readable } from './notReadable.ts';
import { addPositions, type Position, positionsAt } from './positions.ts';
import type { StoredPositions } from './rows.ts';
import type { StoredDeployment } from './storedDeployments.ts';

/** Compares each sampled wallet's shares with the contracts, at the last blocks in its position. */
export async function compareWalletShares(
  { slug }: FamilyConfig,
  { until, sampled }: StoredPositions,
  deployments: readonly StoredDeployment[],
): Promise<FamilyReport> {
  const wallets = [...sampled.keys()];
  const truth = await readPositions(deployments, wallets, ({ block }) => block);
  const comparison = compareInvariant(slug, 3, `wallets up to ${toIso(until)}`);
  const unchecked: string[] = [];
  for (const [wallet, { shares }] of sampled) {
    const right = addPositions(truth, wallet);
    if (right.unknown !== null) unchecked.push(`${slug}, wallet ${wallet}: ${right.unknown}`);
    else comparison.same(`wallet ${wallet}: shares`, shares, right.shares);
  }
  return { compared: [comparison], unchecked };
}

/** On each chain, at the block selected for it. */
export function readPositions(
  deployments: readonly StoredDeployment[],
  wallets: readonly Address[],
  pick: (deployment: StoredDeployment) => number,
): Promise<ReadonlyMap<Address, Position>[]> {
  return Promise.all(
    deployments.map((stored) =>
      readable(() => positionsAt(stored.deployment, pick(stored), wallets)),
    ),
  );
}
