import { type Address, ZERO_ADDRESS } from '../hex.ts';

/** Addresses that are nobody's wallet, as far as a family's shares on one chain go. */
export interface Accounts {
  /** The vaults themselves. */
  readonly vaults: ReadonlySet<Address>;
  /** Hold shares or assets for others. Grows as the chain shows more of them. */
  readonly custody: Set<Address>;
  /** Hold shares that were taken as fees, until they are burned. */
  readonly feeHolders?: ReadonlySet<Address>;
  /** Gateways: what they move is moved for whoever stands behind them. */
  readonly routers: ReadonlySet<Address>;
}

/** No wallet: what is there is somebody's by the queue, or nobody's. */
export function isHouse(accounts: Accounts, address: Address): boolean {
  const { vaults, custody, feeHolders } = accounts;
  if (vaults.has(address) || custody.has(address) || address === ZERO_ADDRESS) return true;
  return feeHolders?.has(address) === true;
}

export function isWallet(accounts: Accounts, address: Address): boolean {
  return !isHouse(accounts, address) && !accounts.routers.has(address);
}
