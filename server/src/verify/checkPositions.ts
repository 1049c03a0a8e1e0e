import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import type { Queryable } from '../store/store.ts';
import { checkHistory } from './checkHistory.ts';
import { checkPending, type LoadPending } from './checkPending.ts';
import { checkSums } from './checkSums.ts';
import { checkValues } from './checkValues.ts';
import { checkWallets } from './checkWallets.ts';
import { type FamilyReport, joinReports } from './comparison.ts';
import type { Moment } from './moment.ts';
import { NotReadable, type Parts } from './parts.ts';
import { loadStoredParts, type StoredPart } from './storedParts.ts';

export interface PositionsToCheck extends Moment {
  readonly parts: Parts;
  readonly store: Queryable;
  readonly family: FamilyConfig;
  readonly loadPending: LoadPending;
}

/** Checks the holdings of wallets: one by one, in total, and as served now. */
export async function checkPositions(given: PositionsToCheck): Promise<FamilyReport> {
  const { parts, store, family, stored } = given;
  try {
    const chains = await loadStoredParts(parts, family, stored);
    return joinReports([
      await checkWallets(family, stored, chains),
      await checkSums(store, family, stored, chains),
      await checkHistory(store, family, chains),
      await checkServed(given, chains),
      await checkPending({ ...given, stored: chains, wallets: [...stored.sampled.keys()] }),
    ]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const place = `${family.slug}, wallets up to ${toIso(stored.until)}`;
    return { compared: [], unchecked: [`${place}: ${error.message}`] };
  }
}

/** Responses about wallets reflect the newest blocks; if the server indexed meanwhile, their blocks are unknown. */
async function checkServed(
  { family, served, wallets }: PositionsToCheck,
  parts: readonly StoredPart[],
): Promise<FamilyReport> {
  if (wallets === null) {
    const reason = 'the server indexed new blocks during every attempt; run it again';
    return { compared: [], unchecked: [`${family.slug}, wallets now: ${reason}`] };
  }
  return checkValues({ family, served, parts, wallets });
}
