import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import type { NumberedRequest } from '../../store/history/requestIds.ts';
import { loadReadStates } from '../../store/sources/readState.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { patienceOf } from '../status.ts';
import type { QueueKind } from './queueKinds.ts';

/** A queue to read for a wallet, with what the store knows of its vault. */
export interface WalletQueue {
  readonly family: string;
  readonly chainId: number;
  readonly address: Address;
  readonly queue: QueueKind;
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
  /** Null: the family has no such queue. */
  kindOf(family: FamilyConfig): QueueKind | null;
  getIds(db: Queryable, wallet: Address, most: number): Promise<NumberedRequest[]>;
}

/** More calls than these make a multicall slow; who has more has long been paid for the oldest. */
export const MOST_REQUESTS = 200;

/** The queues of every vault of the families asked for, in the order of the configuration. */
export async function loadWalletQueues(
  { store, config }: { readonly store: Store; readonly config: Config },
  { wallet, asked, now, kindOf, getIds }: QueueQuestion,
): Promise<WalletQueue[]> {
  const kinds = new Map(asked.map((family) => [family, kindOf(family)]));
  const numbering = [...kinds.values()].includes('erc7540');
  const [rows, known, numbered, states] = await Promise.all([
    families.getAll(store.reads),
    vaults.getAll(store.reads),
    // One more tells that there are more.
    numbering ? getIds(store.reads, wallet, MOST_REQUESTS + 1) : [],
    numbering ? loadReadStates(store.reads, patienceOf(config.chains), now) : undefined,
  ]);
  return asked.flatMap((family) => {
    const queue = kinds.get(family) ?? null;
    return queue === null ? [] : family.chains.flatMap((chain) => queuesOn(family, chain, queue));
  });

  function queuesOn(
    { slug }: FamilyConfig,
    { chainId, address, vaults: further }: FamilyConfig['chains'][number],
    queue: QueueKind,
  ): WalletQueue[] {
    const familyId = rows.find((row) => row.slug === slug)?.familyId;
    const own = (row: { familyId: number; chainId: number }) =>
      row.familyId === familyId && row.chainId === chainId;
    const ids = numbered.filter(own).map(({ requestId }) => requestId);
    // Numbers come from indexed logs: where some are not yet read, a request may be missing.
    const current = queue !== 'erc7540' || states?.stateOf(slug, chainId) === 'current';
    return [address, ...further].map((vault, i) => ({
      family: slug,
      chainId,
      address: vault,
      queue,
      requestIds: ids.slice(0, MOST_REQUESTS),
      facts: known.find(own),
      further: i > 0,
      whole: current && ids.length <= MOST_REQUESTS,
    }));
  }
}
