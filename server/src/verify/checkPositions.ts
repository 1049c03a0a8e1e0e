import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { toIso } from '../domain/time.ts';
import type { Queryable } from '../store/store.ts';
import { checkSums } from './checkSums.ts';
import { checkValues } from './checkValues.ts';
import { checkWallets } from './checkWallets.ts';
import { type FamilyReport, joinReports } from './comparison.ts';
import { NotReadable, type Parts } from './parts.ts';
import { readPositions, type StoredPositions } from './rows.ts';
import type { Served, ServedWallet } from './served.ts';
import { loadStoredParts, type StoredPart } from './storedParts.ts';

export interface PositionsToCheck {
  readonly parts: Parts;
  readonly store: Queryable;
  readonly family: FamilyConfig;
  readonly served: Served;
  readonly stored: StoredPositions;
  readonly loadWallet: (family: FamilyConfig, wallet: Address) => Promise<ServedWallet | undefined>;
}

/** What wallets have: one by one, all together, and what is served of them now. */
export async function checkPositions(given: PositionsToCheck): Promise<FamilyReport> {
  const { parts, store, family, stored } = given;
  try {
    const chains = await loadStoredParts(parts, family, stored);
    return joinReports([
      await checkWallets(family, stored, chains),
      await checkSums(store, family, stored, chains),
      await checkServed(given, chains),
    ]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const place = `${family.slug}, wallets up to ${toIso(stored.until)}`;
    return { compared: [], unchecked: [`${place}: ${error.message}`] };
  }
}

/** Answers about wallets are of the newest blocks: where the server went on meanwhile, they are of no known ones. */
async function checkServed(
  { store, family, served, stored, loadWallet }: PositionsToCheck,
  chains: readonly StoredPart[],
): Promise<FamilyReport> {
  const wallets = new Map<Address, ServedWallet>();
  for (const wallet of stored.drawn.keys()) {
    const own = await loadWallet(family, wallet);
    if (own !== undefined) wallets.set(wallet, own);
  }
  const now = await readPositions(store, family, '', 0);
  if (chains.some(({ part, indexedBlock }) => !isAt(now, part.chain.chainId, indexedBlock))) {
    const reason = 'the server went on while it was asked; run it again';
    return { compared: [], unchecked: [`${family.slug}, wallets now: ${reason}`] };
  }
  return checkValues({ family, served, parts: chains, wallets });
}

function isAt(now: StoredPositions | undefined, chainId: number, block: number): boolean {
  return now?.sources.find((source) => source.chainId === chainId)?.indexedBlock === block;
}
