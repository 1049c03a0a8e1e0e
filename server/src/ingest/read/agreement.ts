import type { FamilyConfig } from '../../config/config.ts';
import { families } from '../../store/families/families.ts';
import type { Queryable } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';

/** Amounts of a family are added up over its chains, so these must be alike on all of them. */
export const ADDED_UP = ['assetDecimals', 'shareDecimals'] as const;

/** A family's vault is another on this chain than on those that are indexed already. */
export class ChainsDisagree extends Error {
  override readonly name = 'ChainsDisagree';
}

/** Which of the facts differ, in words for the operator. */
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

/**
 * Keeps what a chain says of a vault; throws ChainsDisagree where its amounts cannot be added to those of the chains
 * that told theirs before. Of two that did so long ago the first settlement chain of the configuration counts.
 */
export async function keepFacts(
  tx: Queryable,
  family: FamilyConfig,
  facts: VaultRow,
): Promise<void> {
  // Of two chains that come at the same moment the second sees what the first has told.
  await families.lock(tx, [facts.familyId]);
  const rank = rankOf(family);
  // A row of another address is of the vault that stood in the configuration before.
  const configured = new Map(family.chains.map(({ chainId, address }) => [chainId, address]));
  const known = (await vaults.getOfFamily(tx, facts.familyId)).filter(
    ({ address, chainId }) => address === configured.get(chainId),
  );
  const ownRank = rank.get(facts.chainId)!;
  const isKnown = known.some(({ chainId }) => chainId === facts.chainId);
  const problems = known
    .filter(({ chainId }) => !isKnown || rank.get(chainId)! < ownRank)
    .flatMap((other) => disagreements(family.slug, other, facts, ADDED_UP));
  if (problems.length > 0) throw new ChainsDisagree(problems.join('; '));
  await vaults.upsert(tx, facts);
}

/** Settlement chains first, each kind in the order of the configuration. */
function rankOf({ chains }: FamilyConfig): Map<number, number> {
  const settlement = chains.filter(({ role }) => role === 'settlement');
  const ordered = [...settlement, ...chains.filter(({ role }) => role !== 'settlement')];
  return new Map(ordered.map(({ chainId }, i) => [chainId, i]));
}
