import type { Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { Queryable } from '../store/store.ts';
import { compareFamilyStats } from './compareFamilyStats.ts';
import { compareFeedPrice } from './compareFeedPrice.ts';
import { comparePools } from './comparePools.ts';
import { compareWalletValues } from './compareWalletValues.ts';
import { type FamilyReport, joinReports } from './comparison.ts';
import type { Deployments } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import type { MomentOptions } from './moment.ts';
import { NotReadable, readable } from './notReadable.ts';
import { readPositions } from './rows.ts';
import type { Served, ServedWallet } from './served.ts';
import { readShareDistribution } from './shareDistribution.ts';
import { loadStoredDeployments, type StoredDeployment } from './storedDeployments.ts';

/** The API's responses as of a past time. */
export interface AsOfAnswers {
  /** Why a family has no data at that time; undefined if it has. */
  whyMissing(family: FamilyConfig): string | undefined;
  /** The shares of all holders of a family. */
  loadHeldShares(family: FamilyConfig): Promise<bigint>;
}

export interface AsOfToCheck extends MomentOptions {
  readonly deployments: Deployments;
  readonly config: Pick<Config, 'prices'>;
  readonly family: FamilyConfig;
  readonly asOf: AsOfAnswers;
}

/** Compares a family's response as of a past time with the chains, at the blocks that the response names. */
export async function compareAsOf(options: AsOfToCheck): Promise<FamilyReport> {
  const { deployments, store, config, family, asOf } = options;
  const missing = asOf.whyMissing(family);
  if (missing !== undefined) return { compared: [], unchecked: [missing] };
  const served = await options.loadServed(family);
  if (served === undefined) {
    return { compared: [], unchecked: [`${family.slug}: it has not been read yet`] };
  }
  const stats = await compareFamilyStats(deployments, family, served);
  return joinReports([
    stats,
    await comparePools({ deployments, store, family, served, totals: stats.totals }),
    await compareFeedPrice(deployments, config.prices, family, served),
    await checkHeld(options, served),
  ]);
}

/** Checks the sampled wallets, and the total of all holders. */
async function checkHeld(options: AsOfToCheck, served: Served): Promise<FamilyReport> {
  const { deployments, family } = options;
  const { stats } = served;
  const until = Math.floor(Date.parse(stats.updatedAt) / 1000);
  const sources = stats.chains.map(({ chainId, block }) => ({
    chainId,
    indexedBlock: Number(block),
  }));
  try {
    const stored = await loadStoredDeployments(deployments, family, { sources, until });
    const wallets = await loadWallets(options, options.store);
    return joinReports([
      await compareWalletValues({ family, served, deployments: stored, wallets }),
      await checkHolders(options, stored, stats.updatedAt),
    ]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const location = `${family.slug}, wallets as of ${stats.updatedAt}`;
    return { compared: [], unchecked: [`${location}: ${error.message}`] };
  }
}

async function loadWallets(
  { family, loadWallet, seed, wallets: count }: AsOfToCheck,
  store: Queryable,
): Promise<ReadonlyMap<Address, ServedWallet>> {
  const positions = await readPositions(store, family, seed, count);
  const wallets = new Map<Address, ServedWallet>();
  for (const wallet of positions?.sampled.keys() ?? []) {
    const own = await loadWallet(family, wallet);
    if (own !== undefined) wallets.set(wallet, own);
  }
  return wallets;
}

async function checkHolders(
  { family, asOf }: AsOfToCheck,
  deployments: readonly StoredDeployment[],
  at: string,
): Promise<FamilyReport> {
  const begun = deployments.filter(({ deployment, block }) => block >= deployment.chain.startBlock);
  const distributions = await Promise.all(
    begun.map(({ deployment, block }) => readable(() => readShareDistribution(deployment, block))),
  );
  const unknown = distributions.find(({ pendingShares }) => pendingShares.unknown !== null)
    ?.pendingShares.unknown;
  if (unknown != null) {
    return { compared: [], unchecked: [`${family.slug}, all holders as of ${at}: ${unknown}`] };
  }
  const comparison = compareInvariant(family.slug, 2, `all holders as of ${at}`);
  const truth = distributions.reduce((sum, { positions }) => sum + positions, 0n);
  comparison.same('sum of all holders', await asOf.loadHeldShares(family), truth);
  return { compared: [comparison], unchecked: [] };
}
