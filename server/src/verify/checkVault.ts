import { compareSupply } from './checkSums.ts';
import type { FamilyReport } from './comparison.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './parts.ts';
import type { State } from './states.ts';

/** The largest virtual amount that is common on the side of the assets. */
const VIRTUAL_ASSETS = 1_000_000n;

/** What must hold of a vault by itself at the snapshot's block, and which of its events nobody reads. */
export async function checkVault(
  part: FamilyOnChain,
  block: number,
  { shareSupply }: State,
): Promise<FamilyReport> {
  const { slug } = part.family;
  const where = `chain ${part.chain.chainId}, block ${block}`;
  const supply = compareInvariant(slug, 11, where);
  await compareSupply(supply, part, block, shareSupply);
  const conversion = compareInvariant(slug, 5, where);
  const ask = part.askAt(block);
  const { address } = part.chain;
  const [worth, total] = await readable(() =>
    Promise.all([
      ask<bigint>(address, 'convertToAssets(uint256) view returns (uint256)', shareSupply),
      ask<bigint>(address, 'totalAssets() view returns (uint256)'),
    ]),
  );
  // Short of the total by fees that are not minted yet; beyond it by virtual assets only.
  if (worth !== undefined && total !== undefined) {
    const fits = worth <= total + 1n + VIRTUAL_ASSETS;
    const wrong = `all ${shareSupply} shares convert to ${worth}, the vault says that it has ${total}`;
    conversion.holds(fits ? null : wrong);
  }
  const compared = conversion.figures > 0 ? [supply, conversion] : [supply];
  return { compared, unchecked: [], told: undecoded(part) };
}

function undecoded({ family, chain, logs }: FamilyOnChain): string[] {
  const { topics } = kindOf(family.adapter);
  return [...logs.topics]
    .filter(([topic]) => !topics.has(topic))
    .map(
      ([topic, count]) =>
        `${family.slug}, chain ${chain.chainId}: not decoded: ${topic} (${count} logs)`,
    );
}
