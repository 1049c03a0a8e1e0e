import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import type { NumberedRequest } from '../../store/history/requestIds.ts';
import { loadReadStates } from '../../store/sources/readState.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { KINDS } from '../../vaults/index.ts';
import type { VaultKind } from '../../vaults/kind.ts';
import { getStaleSeconds } from '../status.ts';

/** A queue to read for a wallet, with the stored state of its vault. */
export interface WalletQueue {
  readonly family: string;
  readonly chainId: number;
  readonly address: Address;
  readonly kind: VaultKind;
  /** The numbers of the wallet's requests there. */
  readonly requestIds: readonly bigint[];
  /** The state of the family's vault there; undefined if unknown. */
  readonly facts: VaultRow | undefined;
  /** An additional vault over the same share token, with another base asset. */
  readonly further: boolean;
  /** Whether all of the wallet's requests are read. */
  readonly whole: boolean;
}

/** The queues to read. */
export interface QueueQuestion {
  readonly wallet: Address;
  readonly asked: readonly FamilyConfig[];
  readonly now: number;
  /** Returns whether vaults of a kind have such a queue. */
  has(kind: VaultKind): boolean;
  getIds(db: Queryable, wallet: Address, most: number): Promise<NumberedRequest[]>;
}

/**
 * Of the largest, and of the newest: more calls make a multicall slow. Most of the requests of a wallet with more
 * were paid long ago.
 */
export const MAX_REQUESTS = 200;

/** Returns the queues of every vault of the requested families, in the order of the configuration. */
export async function loadWalletQueues(
  { store, config }: { readonly store: Store; readonly config: Config },
  { wallet, asked, now, has, getIds }: QueueQuestion,
): Promise<WalletQueue[]> {
  const queued = asked.filter(({ adapter }) => has(KINDS[adapter]));
  const numbering = queued.some(({ adapter }) => KINDS[adapter].hasClaims);
  const [rows, known, numbered, states] = await Promise.all([
    families.getAll(store.reads),
    vaults.getAll(store.reads),
    numbering ? getIds(store.reads, wallet, MAX_REQUESTS) : [],
    numbering ? loadReadStates(store.reads, getStaleSeconds(config.chains), now) : undefined,
  ]);
  return queued.flatMap((family) => family.chains.flatMap((chain) => queuesOn(family, chain)));

  function queuesOn(
    { slug, adapter }: FamilyConfig,
    { chainId, address, vaults: further }: FamilyConfig['chains'][number],
  ): WalletQueue[] {
    const kind = KINDS[adapter];
    const familyId = rows.find((row) => row.slug === slug)?.familyId;
    const own = (row: { familyId: number; chainId: number }) =>
      row.familyId === familyId && row.chainId === chainId;
    const numbers = numbered.filter(own);
    // Request numbers come from indexed logs: if some are not indexed yet, a request may be missing.
    const current = !kind.hasClaims || states?.stateOf(slug, chainId) === 'current';
    return [address, ...further].map((vault, i) => ({
      family: slug,
      chainId,
      address: vault,
      kind,
      // The requests of additional vaults cannot be distinguished: they count together.
      requestIds: i > 0 ? [] : numbers.map(({ requestId }) => requestId),
      facts: known.find(own),
      further: i > 0,
      whole: current && numbers.length === (numbers[0]?.inAll ?? 0),
    }));
  }
}
