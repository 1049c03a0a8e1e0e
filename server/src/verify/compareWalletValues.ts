import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { compareCosts } from './compareCosts.ts';
import { readPositions } from './compareWalletShares.ts';
import { compareAt, type FamilyReport, joinReports } from './comparison.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import { addPositions } from './positions.ts';
import { amount, type Served, type ServedWallet } from './served.ts';
import type { StoredDeployment } from './storedDeployments.ts';

export interface WalletsToCheck {
  readonly family: FamilyConfig;
  readonly served: Served;
  readonly deployments: readonly StoredDeployment[];
  readonly wallets: ReadonlyMap<Address, ServedWallet>;
}

/** Compares each wallet's served shares, and their value on each chain, with the chains. */
export async function compareWalletValues(given: WalletsToCheck): Promise<FamilyReport> {
  const { family, deployments, wallets } = given;
  const blocks = deployments.map(
    ({ deployment, indexedBlock }) => `${deployment.chain.chainId}:${indexedBlock}`,
  );
  const comparison = compareAt(`${family.slug}, wallets now, blocks ${blocks.join(' ')}`);
  const addresses = [...wallets.keys()];
  const positions = await readPositions(deployments, addresses, ({ indexedBlock }) => indexedBlock);
  for (const [wallet, served] of wallets) {
    const right = addPositions(positions, wallet);
    // A wallet hidden by a paused vault is already reported.
    if (right.unknown !== null) continue;
    comparison.same(`wallet ${wallet}: sharesBalance`, amount(served.sharesBalance), right.shares);
    const own = positions.map((onChain) => onChain.get(wallet)!.shares);
    const worth = await readWorth(given, own);
    if (worth === undefined) continue;
    const value = amount(served.currentValue);
    const what = `wallet ${wallet}: currentValue`;
    const fits = worth !== null && value !== null && value >= worth.least && value <= worth.most;
    comparison.same(what, value, fits ? value : (worth?.least ?? null));
  }
  return joinReports([{ compared: [comparison], unchecked: [] }, await compareCosts(given)]);
}

interface Worth {
  readonly least: bigint;
  readonly most: bigint;
}

/**
 * The sum over chains of the value of the shares there. Each conversion is rounded down, and so is the stored price:
 * one unit less, and one more for each chain. Null if a chain has no price, undefined if a chain is missing in the
 * snapshot.
 */
async function readWorth(
  { family, served, deployments }: WalletsToCheck,
  own: readonly bigint[],
): Promise<Worth | null | undefined> {
  let [least, most] = [-1n, BigInt(deployments.length)];
  for (const [i, { deployment, indexedBlock }] of deployments.entries()) {
    if (own[i] === 0n) continue;
    const { chainId, address } = deployment.chain;
    const named = served.stats.chains.find((one) => one.chainId === chainId);
    if (named === undefined) return undefined;
    const newest = kindOf(family.adapter).pricedAt === 'newest' ? [indexedBlock] : [];
    const values = await Promise.all(
      [Number(named.block), ...newest].map((block) =>
        readable(() =>
          deployment.askAt(block)<bigint>(
            address,
            'convertToAssets(uint256) view returns (uint256)',
            own[i],
          ),
        ),
      ),
    );
    const known = values.filter((value) => value !== undefined);
    if (known.length === 0) return null;
    least += known.reduce((a, b) => (a < b ? a : b));
    most += known.reduce((a, b) => (a > b ? a : b));
  }
  return { least: least < 0n ? 0n : least, most };
}
