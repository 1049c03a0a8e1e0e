import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { Queryable } from '../store/store.ts';
import { readPositions, type StoredPositions } from './rows.ts';
import type { Served, ServedWallet } from './served.ts';

/** What is stored and served of a family, all of it of the same blocks. */
export interface Moment {
  readonly served: Served;
  readonly stored: StoredPositions;
  /** What is served of the sampled wallets; null where the server went on each time that it was asked. */
  readonly wallets: ReadonlyMap<Address, ServedWallet> | null;
}

export interface MomentOptions {
  readonly store: Queryable;
  /** What the API answers for a family; undefined while it has never been read. */
  readonly loadServed: (family: FamilyConfig) => Promise<Served | undefined>;
  /** What the API answers for a wallet in a family; undefined where it knows nothing of it. */
  readonly loadWallet: (family: FamilyConfig, wallet: Address) => Promise<ServedWallet | undefined>;
  /** How many wallets of each family are sampled by the seed, besides the biggest. */
  readonly wallets: number;
  readonly seed: string;
}

/** Asking takes some milliseconds, blocks come seconds apart: a few tries find a moment between two of them. */
const ATTEMPTS = 10;

/** Undefined while the family has never been read. */
export async function takeMoment(
  options: MomentOptions,
  family: FamilyConfig,
): Promise<Moment | undefined> {
  const { store, loadServed, loadWallet, seed } = options;
  for (let attempt = 1; ; attempt++) {
    const stored = await readPositions(store, family, seed, options.wallets);
    const served = await loadServed(family);
    if (served === undefined || stored === undefined) return undefined;
    const wallets = new Map<Address, ServedWallet>();
    for (const wallet of stored.sampled.keys()) {
      const own = await loadWallet(family, wallet);
      if (own !== undefined) wallets.set(wallet, own);
    }
    const after = await readPositions(store, family, seed, 0);
    const isSteady = after !== undefined && placeOf(after) === placeOf(stored);
    if (isSteady || attempt === ATTEMPTS) {
      return { served, stored, wallets: isSteady ? wallets : null };
    }
  }
}

function placeOf({ until, sources }: StoredPositions): string {
  return `${until} ${sources.map(({ chainId, indexedBlock }) => `${chainId}:${indexedBlock}`).join(' ')}`;
}
