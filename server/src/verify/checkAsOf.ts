import type { Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { Queryable } from '../store/store.ts';
import { checkPools } from './checkPools.ts';
import { checkPrice } from './checkPrice.ts';
import { checkStats } from './checkSnapshot.ts';
import { checkValues } from './checkValues.ts';
import { type FamilyReport, joinReports } from './comparison.ts';
import { compareInvariant } from './invariants.ts';
import type { MomentOptions } from './moment.ts';
import { NotReadable, type Parts, readable } from './parts.ts';
import { readPositions } from './rows.ts';
import type { Served, ServedWallet } from './served.ts';
import { loadStoredParts, type StoredPart } from './storedParts.ts';
import { wholeAt } from './whole.ts';

/** The API's responses as of a past time. */
export interface AsOfAnswers {
  /** Why a family has no data at that time; undefined if it has. */
  whyMissing(family: FamilyConfig): string | undefined;
  /** The shares of all holders of a family. */
  loadHeldShares(family: FamilyConfig): Promise<bigint>;
}

export interface AsOfToCheck extends MomentOptions {
  readonly parts: Parts;
  readonly config: Pick<Config, 'prices'>;
  readonly family: FamilyConfig;
  readonly asOf: AsOfAnswers;
}

/** Compares a family's response as of a past time with the chains, at the blocks that the response names. */
export async function checkAsOf(options: AsOfToCheck): Promise<FamilyReport> {
  const { parts, store, config, family, asOf } = options;
  const missing = asOf.whyMissing(family);
  if (missing !== undefined) return { compared: [], unchecked: [missing] };
  const served = await options.loadServed(family);
  if (served === undefined) {
    return { compared: [], unchecked: [`${family.slug}: it has not been read yet`] };
  }
  const stats = await checkStats(parts, family, served);
  return joinReports([
    stats,
    await checkPools({ parts, store, family, served, totals: stats.totals }),
    await checkPrice(parts, config.prices, family, served),
    await checkHeld(options, served),
  ]);
}

/** Checks the sampled wallets, and the total of all holders. */
async function checkHeld(options: AsOfToCheck, served: Served): Promise<FamilyReport> {
  const { parts, family } = options;
  const { stats } = served;
  const until = Math.floor(Date.parse(stats.updatedAt) / 1000);
  const sources = stats.chains.map(({ chainId, block }) => ({
    chainId,
    indexedBlock: Number(block),
  }));
  try {
    const stored = await loadStoredParts(parts, family, { sources, until });
    const wallets = await loadWallets(options, options.store);
    return joinReports([
      await checkValues({ family, served, parts: stored, wallets }),
      await checkHolders(options, stored, stats.updatedAt),
    ]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const place = `${family.slug}, wallets as of ${stats.updatedAt}`;
    return { compared: [], unchecked: [`${place}: ${error.message}`] };
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
  parts: readonly StoredPart[],
  at: string,
): Promise<FamilyReport> {
  const begun = parts.filter(({ part, block }) => block >= part.chain.startBlock);
  const wholes = await Promise.all(
    begun.map(({ part, block }) => readable(() => wholeAt(part, block))),
  );
  const unknown = wholes.find(({ waiting }) => waiting.unknown !== null)?.waiting.unknown;
  if (unknown != null) {
    return { compared: [], unchecked: [`${family.slug}, all holders as of ${at}: ${unknown}`] };
  }
  const comparison = compareInvariant(family.slug, 2, `all holders as of ${at}`);
  const truth = wholes.reduce((sum, { positions }) => sum + positions, 0n);
  comparison.same('sum of all holders', await asOf.loadHeldShares(family), truth);
  return { compared: [comparison], unchecked: [] };
}
