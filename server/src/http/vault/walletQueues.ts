import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import type { NumberedRequest } from '../../store/history/requestIds.ts';
import { loadReadStates } from '../../store/sources/readState.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { KINDS } from '../../vaults/index.ts';
import type { VaultKind } from '../../vaults/kind.ts';
import { patienceOf } from '../status.ts';

/** A queue to read for a wallet, with what the store knows of its vault. */
export interface WalletQueue {
  readonly family: string;
  readonly chainId: number;
  readonly address: Address;
  readonly kind: VaultKind;
  /** The numbers of the wallet's requests there. */
  readonly requestIds: readonly bigint[];
  /** Of the family's vault there; undefined while nothing is known. */
  readonly facts: VaultRow | undefined;
  /** A further vault over the same share token: its base asset is another. */
  readonly further: boolean;
  /** Whether all of the wallet's requests are read. */
  readonly whole: boolean;
}

/** What is asked of which queues. */
export interface QueueQuestion {
  readonly wallet: Address;
  readonly asked: readonly FamilyConfig[];
  readonly now: number;
  /** Whether vaults of a kind have such a queue. */
  has(kind: VaultKind): boolean;
  getIds(db: Queryable, wallet: Address, most: number): Promise<NumberedRequest[]>;
}

/** Of the biggest, and of the newest: more calls make a multicall slow. Who has more was long paid for most of them. */
export const MOST_REQUESTS = 200;

/** The queues of every vault of the families asked for, in the order of the configuration. */
export async function loadWalletQueues(
  { store, config }: { readonly store: Store; readonly config: Config },
  { wallet, asked, now, has, getIds }: QueueQuestion,
): Promise<WalletQueue[]> {
  const queued = asked.filter(({ adapter }) => has(KINDS[adapter]));
  const numbering = queued.some(({ adapter }) => KINDS[adapter].hasClaims);
  const [rows, known, numbered, states] = await Promise.all([
    families.getAll(store.reads),
    vaults.getAll(store.reads),
    numbering ? getIds(store.reads, wallet, MOST_REQUESTS) : [],
    numbering ? loadReadStates(store.reads, patienceOf(config.chains), now) : undefined,
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
    // Numbers come from indexed logs: where some are not yet read, a request may be missing.
    const current = !kind.hasClaims || states?.stateOf(slug, chainId) === 'current';
    return [address, ...further].map((vault, i) => ({
      family: slug,
      chainId,
      address: vault,
      kind,
      // Of further vaults no numbers are known apart: those count together.
      requestIds: i > 0 ? [] : numbers.map(({ requestId }) => requestId),
      facts: known.find(own),
      further: i > 0,
      whole: current && numbers.length === (numbers[0]?.inAll ?? 0),
    }));
  }
}
