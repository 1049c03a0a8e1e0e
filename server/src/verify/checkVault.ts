import { checkMints } from './checkMints.ts';
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
  // What was paid for a described share may be no token, or paid elsewhere.
  const bought = part.chain.rated === undefined ? [await checkMints(part, block)] : [];
  const compared = [supply, conversion, ...bought].filter(({ figures }) => figures > 0);
  return { compared, unchecked: [], undecoded: undecoded(part) };
}

/** Enough to look the others up. */
const MAX_TOPICS = 3;

/** In one line: who looks for what was found must not have to search for it. */
function undecoded({ family, chain, logs }: FamilyOnChain): string[] {
  const { topics } = kindOf(family.adapter);
  const others = [...logs.topics]
    .filter(([topic]) => !topics.has(topic))
    .sort(([, a], [, b]) => b - a);
  if (others.length === 0) return [];
  const names = others.slice(0, MAX_TOPICS).map(([topic, count]) => `${topic} (${count} logs)`);
  const more = others.length > MAX_TOPICS ? `, and ${others.length - MAX_TOPICS} more` : '';
  return [`${family.slug}, chain ${chain.chainId}: topics not decoded: ${names.join(', ')}${more}`];
}
