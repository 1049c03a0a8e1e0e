import { type Address, type Hex, lower } from '../domain/hex.ts';
import { type Deployment, vaultsOf } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import type { ShareTransfer } from './vaultLogs.ts';

/** The shares that one transaction minted or burned. */
export interface ChangedShares {
  readonly transaction: Hex;
  readonly block: number;
  readonly shares: bigint;
  /** Those who got the shares, or had them. */
  readonly accounts: ReadonlySet<Address>;
}

/** The newest are enough, because each takes a few requests. */
const MAX_EXAMINED = 50;
/** Maximum fee on a payment for shares, in percent. */
const FEES = 10n;

/** Returns the accounts of the vault, which hold no shares and assets of their own. */
export async function findSystemAccounts(
  deployment: Deployment,
  block: number,
): Promise<readonly Address[]> {
  const { family, chain, share } = deployment;
  const custody = await readable(() => kindOf(family.adapter).findCustody(deployment, block));
  return [...new Set([...vaultsOf(chain), share, ...chain.custody, ...custody].map(lower))];
}

/** Joins the newest mints or burns by transaction. */
export function joinByTransaction(
  transfers: readonly ShareTransfer[],
  accountOf: (transfer: ShareTransfer) => Address,
): ChangedShares[] {
  const found = new Map<Hex, ChangedShares>();
  for (const transfer of transfers) {
    const { transaction, block, value } = transfer;
    const before = found.get(transaction);
    const shares = (before?.shares ?? 0n) + value;
    const accounts = new Set([...(before?.accounts ?? []), accountOf(transfer)]);
    found.set(transaction, { transaction, block, shares, accounts });
  }
  return [...found.values()].slice(-MAX_EXAMINED);
}

/** Returns what the shares were worth after their block; undefined if the vault cannot convert them. */
export function readWorth(
  { askAt, chain }: Deployment,
  { block, shares }: ChangedShares,
): Promise<bigint | undefined> {
  const signature = 'convertToAssets(uint256) view returns (uint256)';
  return askAt(block)<bigint>(chain.address, signature, shares);
}

/** Whether an amount was paid for shares of this value. */
export function isWorth(amount: bigint, worth: bigint): boolean {
  const off = amount > worth ? amount - worth : worth - amount;
  return amount > 0n && off * 100n <= worth * FEES + 100n;
}
