import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import { getCustodyHoldings } from './custodyHoldings.ts';
import type { Deployment } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_PENDING, type PendingShares, plus, sharesOf } from './kinds/kind.ts';

/** The distribution of a family's shares on one chain at a block: owners and accounts. */
export interface ShareDistribution {
  readonly supply: bigint;
  /** The total that all wallets must have. */
  readonly positions: bigint;
  readonly pendingShares: PendingShares;
  /** Of the pending shares, the number that must be in custody. */
  readonly inCustody: bigint;
  /** The number of wallets with pending shares: each amount may be rounded. */
  readonly pendingWallets: number;
  readonly accounts: readonly SystemAccount[];
  /** Shares in configured custody that no transfer of a wallet explains, if only transfers can. */
  readonly unexplained: bigint;
}

/** An account that belongs to no wallet. */
export interface SystemAccount {
  readonly address: Address;
  readonly shares: bigint;
  /** found: reported by the contracts. custody, router: listed only in the configuration. */
  readonly from: 'found' | 'custody' | 'router';
}

export async function readShareDistribution(
  deployment: Deployment,
  block: number,
): Promise<ShareDistribution> {
  const { share, family } = deployment;
  const kind = kindOf(family.adapter);
  const ask = deployment.askAt(block);
  const systemAccounts = await findSystemAccounts(deployment, block);
  const systemAddresses = new Set(systemAccounts.map(({ address }) => address));
  const pendingWallets = kind
    .pendingWallets(deployment, block)
    .filter((wallet) => !systemAddresses.has(wallet));
  const [supply, shares, pendingShares] = await Promise.all([
    need<bigint>(ask, share, 'totalSupply() view returns (uint256)'),
    Promise.all(
      systemAccounts.map(({ address }) =>
        ask<bigint>(share, 'balanceOf(address) view returns (uint256)', address),
      ),
    ),
    kind.readPending(deployment, block, pendingWallets),
  ]);
  const accounts = systemAccounts.map((account, i) => ({ ...account, shares: shares[i] ?? 0n }));
  const held = accounts.reduce((sum, account) => sum + account.shares, 0n);
  const all = [...pendingShares.values()].reduce(plus, NOTHING_PENDING);
  // Shares that a vault counts after it has burned them are pending, so they are included below.
  const minted = supplyByTransfers(deployment, block);
  const real = kind.custodyIsAsked && supply > minted ? minted : supply;
  return {
    supply,
    positions: real - held + sharesOf(all),
    pendingShares: all,
    inCustody: inCustody(deployment, block, all),
    pendingWallets: [...pendingShares.values()].filter((one) => sharesOf(one) > 0n).length,
    accounts,
    unexplained: kind.custodyIsAsked ? 0n : getCustodyHoldings(deployment, block).unexplained,
  };
}

/** Some vaults burn shares at the redemption request, and some mint a deposit's shares only at the claim. */
function inCustody({ logs }: Deployment, block: number, pendingShares: PendingShares): bigint {
  if (pendingShares.burned !== undefined) return pendingShares.pending - pendingShares.burned;
  const until = logs.transfers.filter((one) => one.block <= block);
  const asked = new Set(
    logs.requests.flatMap(({ side, transaction }) => (side === 'redeem' ? transaction : [])),
  );
  const burnsRequests = until.some(
    ({ from, to, transaction }) =>
      to === ZERO_ADDRESS && from !== ZERO_ADDRESS && asked.has(transaction),
  );
  // A mint to a wallet without a deposit is a cancelled request.
  const wallets = new Set(logs.requests.map(({ controller }) => controller));
  const makesBefore = until.some(
    ({ from, to, transaction }) =>
      from === ZERO_ADDRESS && !wallets.has(to) && !logs.deposits.has(transaction),
  );
  const { pending, deposits, returning } = pendingShares;
  return (burnsRequests ? 0n : pending) + (makesBefore ? deposits : 0n) + returning;
}

/** Each account once, by its strongest source. */
async function findSystemAccounts(deployment: Deployment, block: number) {
  const { chain, share, family } = deployment;
  const found = await kindOf(family.adapter).findCustody(deployment, block);
  const systemAccounts = new Map<Address, Omit<SystemAccount, 'shares'>>();
  const add = (from: SystemAccount['from'], addresses: readonly Address[]) => {
    for (const address of addresses.map(lower)) {
      if (!systemAccounts.has(address)) systemAccounts.set(address, { address, from });
    }
  };
  // Shares of the zero address have no owner, and those of the token itself cannot be moved.
  add('found', [ZERO_ADDRESS, share, ...found]);
  add('custody', chain.custody);
  add('router', chain.routers);
  return [...systemAccounts.values()];
}

/** The total of mints minus burns up to a block, from the token's transfers. */
export function supplyByTransfers({ logs }: Deployment, block: number): bigint {
  let supply = 0n;
  for (const { block: at, from, to, value } of logs.transfers) {
    if (at > block) break;
    // A mint to the zero address counts, because the token includes it in its supply.
    if (from === ZERO_ADDRESS) supply += value;
    else if (to === ZERO_ADDRESS) supply -= value;
  }
  return supply;
}
