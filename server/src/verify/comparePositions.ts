import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import type { Queryable } from '../store/store.ts';
import { compareHistory } from './compareHistory.ts';
import { comparePending, type LoadPending } from './comparePending.ts';
import { compareShareTotals } from './compareSupply.ts';
import { compareWalletShares } from './compareWalletShares.ts';
import { compareWalletValues } from './compareWalletValues.ts';
import { type FamilyReport, joinReports } from './comparison.ts';
import type { Deployments } from './deployments.ts';
import type { Moment } from './moment.ts';
import { NotReadable } from './notReadable.ts';
import { loadStoredDeployments, type StoredDeployment } from './storedDeployments.ts';

export interface PositionsToCheck extends Moment {
  readonly deployments: Deployments;
  readonly store: Queryable;
  readonly family: FamilyConfig;
  readonly loadPending: LoadPending;
}

/** Checks the holdings of wallets: one by one, in total, and as served now. */
export async function comparePositions(given: PositionsToCheck): Promise<FamilyReport> {
  const { deployments, store, family, stored } = given;
  try {
    const chains = await loadStoredDeployments(deployments, family, stored);
    return joinReports([
      await compareWalletShares(family, stored, chains),
      await compareShareTotals(store, family, stored, chains),
      await compareHistory(store, family, chains),
      await checkServed(given, chains),
      await comparePending({ ...given, stored: chains, wallets: [...stored.sampled.keys()] }),
    ]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const location = `${family.slug}, wallets up to ${toIso(stored.until)}`;
    return { compared: [], unchecked: [`${location}: ${error.message}`] };
  }
}

/** Responses about wallets reflect the newest blocks; if the server indexed meanwhile, their blocks are unknown. */
async function checkServed(
  { family, served, wallets }: PositionsToCheck,
  deployments: readonly StoredDeployment[],
): Promise<FamilyReport> {
  if (wallets === null) {
    const reason = 'the server indexed new blocks during every attempt; run it again';
    return { compared: [], unchecked: [`${family.slug}, wallets now: ${reason}`] };
  }
  return compareWalletValues({ family, served, deployments, wallets });
}
