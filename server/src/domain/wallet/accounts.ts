import { type Address, ZERO_ADDRESS } from '../hex.ts';

/** Addresses that are not wallets, for a family's shares on one chain. */
export interface Accounts {
  /** The vaults of the family. */
  readonly vaults: ReadonlySet<Address>;
  /** Accounts that hold shares or assets for others. Grows as more are found. */
  readonly custody: Set<Address>;
  /** Accounts that hold shares taken as fees, until they are burned. */
  readonly feeHolders?: ReadonlySet<Address>;
  /** Gateways, which transfer on behalf of other wallets. */
  readonly routers: ReadonlySet<Address>;
}

/** Whether the account is no wallet: its shares belong to wallets in the queue, or to no one. */
export function isSystemAccount(accounts: Accounts, address: Address): boolean {
  const { vaults, custody, feeHolders } = accounts;
  if (vaults.has(address) || custody.has(address) || address === ZERO_ADDRESS) return true;
  return feeHolders?.has(address) === true;
}

export function isWallet(accounts: Accounts, address: Address): boolean {
  return !isSystemAccount(accounts, address) && !accounts.routers.has(address);
}
