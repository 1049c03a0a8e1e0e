import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { Queryable } from '../store/store.ts';
import { readPositions, type StoredPositions } from './rows.ts';
import type { Served, ServedWallet } from './served.ts';

/** The stored and served data of a family, all from the same blocks. */
export interface Moment {
  readonly served: Served;
  readonly stored: StoredPositions;
  /** The responses for the sampled wallets; null if the server indexed new blocks during every attempt. */
  readonly wallets: ReadonlyMap<Address, ServedWallet> | null;
}

export interface MomentOptions {
  readonly store: Queryable;
  /** The API's response for a family; undefined before its first read. */
  readonly loadServed: (family: FamilyConfig) => Promise<Served | undefined>;
  /** The API's response for a wallet in a family; undefined if it is unknown there. */
  readonly loadWallet: (family: FamilyConfig, wallet: Address) => Promise<ServedWallet | undefined>;
  /** How many wallets of each family are sampled by the seed, besides the largest. */
  readonly wallets: number;
  readonly seed: string;
}

/** Reading takes some milliseconds, and blocks are seconds apart, so a few attempts find a time between two blocks. */
const ATTEMPTS = 10;

/** Undefined before the family's first read. */
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
    const isSteady = after !== undefined && getLocation(after) === getLocation(stored);
    if (isSteady || attempt === ATTEMPTS) {
      return { served, stored, wallets: isSteady ? wallets : null };
    }
  }
}

function getLocation({ until, sources }: StoredPositions): string {
  return `${until} ${sources.map(({ chainId, indexedBlock }) => `${chainId}:${indexedBlock}`).join(' ')}`;
}
