import { comparePaidBurns } from './comparePaidBurns.ts';
import { comparePaidMints } from './comparePaidMints.ts';
import { compareSupply } from './compareSupply.ts';
import type { FamilyReport } from './comparison.ts';
import type { Deployment } from './deployment.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import type { State } from './states.ts';

/** The largest common virtual amount of assets. */
const VIRTUAL_ASSETS = 1_000_000n;

/** Checks the conditions that a vault must meet at the snapshot's block, and lists its undecoded events. */
export async function compareConversion(
  deployment: Deployment,
  block: number,
  { shareSupply }: State,
): Promise<FamilyReport> {
  const { slug } = deployment.family;
  const where = `chain ${deployment.chain.chainId}, block ${block}`;
  const supply = compareInvariant(slug, 11, where);
  await compareSupply(supply, deployment, block, shareSupply);
  const conversion = compareInvariant(slug, 5, where);
  const ask = deployment.askAt(block);
  const { address } = deployment.chain;
  const [worth, total] = await readable(() =>
    Promise.all([
      ask<bigint>(address, 'convertToAssets(uint256) view returns (uint256)', shareSupply),
      ask<bigint>(address, 'totalAssets() view returns (uint256)'),
    ]),
  );
  // Below the total because of fees that are not minted yet; above it only because of virtual assets.
  if (worth !== undefined && total !== undefined) {
    const fits = worth <= total + 1n + VIRTUAL_ASSETS;
    const wrong = `all ${shareSupply} shares convert to ${worth}, the vault reports ${total}`;
    conversion.holds(fits ? null : wrong);
  }
  // A described share may be paid in a currency that is no token, or paid elsewhere.
  const bought =
    deployment.chain.rated === undefined ? [await comparePaidMints(deployment, block)] : [];
  // In the other kinds, shares may be burned long before or after their payment.
  const redeemed =
    deployment.family.adapter === 'erc4626' ? [await comparePaidBurns(deployment, block)] : [];
  const compared = [supply, conversion, ...bought, ...redeemed].filter(
    ({ figures }) => figures > 0,
  );
  return { compared, unchecked: [], undecoded: undecoded(deployment) };
}

/** Enough to look up the others. */
const MAX_TOPICS = 3;

/** On one line, so that it can be searched for. */
function undecoded({ family, chain, logs }: Deployment): string[] {
  const { topics } = kindOf(family.adapter);
  const others = [...logs.topics]
    .filter(([topic]) => !topics.has(topic))
    .sort(([, a], [, b]) => b - a);
  if (others.length === 0) return [];
  const names = others.slice(0, MAX_TOPICS).map(([topic, count]) => `${topic} (${count} logs)`);
  const more = others.length > MAX_TOPICS ? `, and ${others.length - MAX_TOPICS} more` : '';
  return [`${family.slug}, chain ${chain.chainId}: topics not decoded: ${names.join(', ')}${more}`];
}
