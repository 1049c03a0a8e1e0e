import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { vaultsOf } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_PENDING, sharesOf } from './kinds/kind.ts';
import { readable } from './notReadable.ts';
import type { StoredDeployment } from './storedDeployments.ts';
import type { ShareTransfer } from './vaultLogs.ts';

/** Wallets that requested only their own redemptions, all of which were paid. */
export interface OwnRedemptions {
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
export async function findOwnRedemptions(
  { deployment, indexedBlock }: StoredDeployment,
  wallets: readonly Address[],
  movesOf: (wallet: Address) => readonly ShareTransfer[],
): Promise<OwnRedemptions> {
  const kind = kindOf(deployment.family.adapter);
  const payments = new Map<Address, Hex[]>();
  const paymentsOf = (wallet: Address) => payments.get(wallet) ?? [];
  const vaults = vaultsOf(deployment.chain);
  if (!kind.custodyIsAsked || kind.pricedAt !== 'tick' || vaults.length > 1) {
    return { wallets: [], payers: [], paymentsOf };
  }
  const { requests, mentions } = deployment.logs;
  const custody = await readable(() => kind.findCustody(deployment, indexedBlock));
  const systemAccounts = new Set([
    ZERO_ADDRESS,
    deployment.share,
    ...custody,
    ...deployment.chain.custody.map(lower),
  ]);
  const mixed = new Set<Address>();
  for (const { accounts, transaction, block } of mentions) {
    if (block > indexedBlock) continue;
    const own = [...new Set(accounts)].filter((one) => !systemAccounts.has(one));
    if (own.length > 1) for (const one of own) mixed.add(one);
    else for (const one of own) payments.set(one, [...paymentsOf(one), transaction]);
  }
  for (const { side, controller } of requests) if (side === 'deposit') mixed.add(controller);
  const asked = new Set(kind.pendingWallets(deployment, indexedBlock));
  const alone = wallets.filter(
    (wallet) =>
      asked.has(wallet) &&
      !mixed.has(wallet) &&
      movesOf(wallet).every(({ from, to }) => systemAccounts.has(from === wallet ? to : from)),
  );
  const pendingShares = await readable(() => kind.readPending(deployment, indexedBlock, alone));
  const done = alone.filter((wallet) => {
    const own = pendingShares.get(wallet) ?? NOTHING_PENDING;
    return own.unknown === null && sharesOf(own) === 0n;
  });
  const strategy = await readable(() =>
    deployment.askAt(indexedBlock)<Address>(
      deployment.chain.address,
      'strategy() view returns (address)',
    ),
  );
  const payers = [...custody, ...(strategy === undefined ? [] : [lower(strategy)])];
  return { wallets: done, payers, paymentsOf };
}
