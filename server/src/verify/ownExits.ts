import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { vaultsOf } from './familyOnChain.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_WAITING, sharesOf } from './kinds/kind.ts';
import { readable } from './parts.ts';
import type { StoredPart } from './storedParts.ts';
import type { ShareTransfer } from './vaultLogs.ts';

/** Wallets that requested only their own redemptions, all of which were paid. */
export interface OwnExits {
  readonly wallets: readonly Address[];
  /** Accounts that receive and pay the asset, besides the vaults. */
  readonly payers: readonly Address[];
  /** Transactions in which the vault reports that the wallet paid or was paid. */
  paymentsOf(wallet: Address): readonly Hex[];
}

/**
 * For contracts that report pending wallets. If an event names a wallet together with another one, shares or payments
 * may have gone there; if the wallet ever requested a deposit, its payment may have been returned.
 */
export async function findOwnExits(
  { part, indexedBlock }: StoredPart,
  wallets: readonly Address[],
  movesOf: (wallet: Address) => readonly ShareTransfer[],
): Promise<OwnExits> {
  const kind = kindOf(part.family.adapter);
  const payments = new Map<Address, Hex[]>();
  const paymentsOf = (wallet: Address) => payments.get(wallet) ?? [];
  const vaults = vaultsOf(part.chain);
  if (!kind.custodyIsAsked || kind.pricedAt !== 'tick' || vaults.length > 1) {
    return { wallets: [], payers: [], paymentsOf };
  }
  const { requests, namings } = part.logs;
  const custody = await readable(() => kind.findCustody(part, indexedBlock));
  const house = new Set([ZERO_ADDRESS, part.share, ...custody, ...part.chain.custody.map(lower)]);
  const mixed = new Set<Address>();
  for (const { accounts, transaction, block } of namings) {
    if (block > indexedBlock) continue;
    const own = [...new Set(accounts)].filter((one) => !house.has(one));
    if (own.length > 1) for (const one of own) mixed.add(one);
    else for (const one of own) payments.set(one, [...paymentsOf(one), transaction]);
  }
  for (const { side, controller } of requests) if (side === 'deposit') mixed.add(controller);
  const asked = new Set(kind.waiters(part, indexedBlock));
  const alone = wallets.filter(
    (wallet) =>
      asked.has(wallet) &&
      !mixed.has(wallet) &&
      movesOf(wallet).every(({ from, to }) => house.has(from === wallet ? to : from)),
  );
  const waiting = await readable(() => kind.waiting(part, indexedBlock, alone));
  const done = alone.filter((wallet) => {
    const own = waiting.get(wallet) ?? NOTHING_WAITING;
    return own.unknown === null && sharesOf(own) === 0n;
  });
  const strategy = await readable(() =>
    part.askAt(indexedBlock)<Address>(part.chain.address, 'strategy() view returns (address)'),
  );
  const payers = [...custody, ...(strategy === undefined ? [] : [lower(strategy)])];
  return { wallets: done, payers, paymentsOf };
}
