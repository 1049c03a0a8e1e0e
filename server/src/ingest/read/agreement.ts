import type { FamilyConfig } from '../../config/config.ts';
import { families } from '../../store/families/families.ts';
import { groupByFamily } from '../../store/groupByFamily.ts';
import type { Queryable } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';

/** Facts that must be equal on all chains of a family, because its amounts are added up. */
export const ADDED_UP = ['assetDecimals', 'shareDecimals'] as const;

/** The vault on this chain differs from those on the chains that are indexed already. */
export class ChainsDisagree extends Error {
  override readonly name = 'ChainsDisagree';
}

/** Describes the facts that differ, for the operator. */
export function disagreements(
  slug: string,
  other: VaultRow,
  row: VaultRow,
  keys: readonly (keyof VaultRow)[],
): string[] {
  return keys
    .filter((key) => other[key] !== row[key])
    .map(
      (key) =>
        `${slug}: ${key} is ${other[key]} on chain ${other.chainId} and ${row[key]} on chain ${row.chainId}; they must agree`,
    );
}

export interface FactsOfFamily {
  readonly family: FamilyConfig;
  readonly facts: VaultRow;
}

/**
 * Stores the facts of vaults, except those whose amounts cannot be added to those of chains that were stored earlier.
 * Returns the reasons, by family. Between two earlier chains, the first settlement chain in the configuration decides.
 */
export async function keepFacts(
  tx: Queryable,
  all: readonly FactsOfFamily[],
): Promise<ReadonlyMap<number, ChainsDisagree>> {
  const ids = all.map(({ facts }) => facts.familyId);
  // If two chains are stored at the same time, the second sees the facts of the first.
  await families.lock(tx, ids);
  const stored = groupByFamily(await vaults.getOfFamilies(tx, ids));
  const refused = new Map<number, ChainsDisagree>();
  for (const one of all) {
    const problems = findDisagreements(one, stored.get(one.facts.familyId) ?? []);
    if (problems.length === 0) continue;
    refused.set(one.facts.familyId, new ChainsDisagree(problems.join('; ')));
  }
  await vaults.upsert(
    tx,
    all.flatMap(({ facts }) => (refused.has(facts.familyId) ? [] : facts)),
  );
  return refused;
}

function findDisagreements(
  { family, facts }: FactsOfFamily,
  stored: readonly VaultRow[],
): string[] {
  const rank = rankOf(family);
  // A row with another address is of a vault that was configured before.
  const configured = new Map(family.chains.map(({ chainId, address }) => [chainId, address]));
  const known = stored.filter(({ address, chainId }) => address === configured.get(chainId));
  const ownRank = rank.get(facts.chainId)!;
  const isKnown = known.some(({ chainId }) => chainId === facts.chainId);
  return known
    .filter(({ chainId }) => !isKnown || rank.get(chainId)! < ownRank)
    .flatMap((other) => disagreements(family.slug, other, facts, ADDED_UP));
}

/** Returns settlement chains first, then the others, in the order of the configuration. */
function rankOf({ chains }: FamilyConfig): Map<number, number> {
  const settlement = chains.filter(({ role }) => role === 'settlement');
  const ordered = [...settlement, ...chains.filter(({ role }) => role !== 'settlement')];
  return new Map(ordered.map(({ chainId }, i) => [chainId, i]));
}
