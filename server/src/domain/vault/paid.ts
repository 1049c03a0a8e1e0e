import type { Address } from '../hex.ts';
import { type Accounts, isSystemAccount } from '../wallet/accounts.ts';
import type { EventOf, VaultEvent } from './event.ts';
import { type Ratio, worthOf } from './ratio.ts';

/** A deposit or an exit with the amount that it names. */
export type Paid = EventOf<'deposit' | 'withdraw'> & { readonly assets: bigint };

/** A transfer of the base asset. */
export interface AssetMove {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** In basis points: fees may take so much of what shares are worth. */
export const FEES = 200n;
/** In basis points: nearer to a known price an amount counts one to one, whichever asset it is of. */
export const NEAR = 2n;

export function isPaid(event: VaultEvent): event is Paid {
  return (event.kind === 'deposit' || event.kind === 'withdraw') && event.assets !== null;
}

/** Whether the amount is what the shares are worth, but for a tolerance in basis points and what rounding takes. */
export function isWorth({ assets, shares }: Paid, price: Ratio, tolerance: bigint): boolean {
  const worth = worthOf(shares, price);
  const off = assets > worth ? assets - worth : worth - assets;
  return off * 10_000n <= worth * tolerance + (worthOf(1n, price) + 1n) * 10_000n;
}

/** Whether one of the transaction's transfers of the base asset is what the event speaks of. */
export function isMoved(event: Paid, moves: readonly AssetMove[], accounts: Accounts): boolean {
  return moves.some(({ from, to, amount }) => {
    if (amount !== event.assets) return false;
    return takesPart(event, from, to, accounts);
  });
}

/** Whether the transaction moved any of the base asset between the parties of a deposit or an exit. */
export function isAnyMoved(event: Paid, moves: readonly AssetMove[], accounts: Accounts): boolean {
  return moves.some(({ from, to }) => takesPart(event, from, to, accounts));
}

/** Some vaults have it paid to where it is invested, or out of there. */
function takesPart(event: Paid, from: Address, to: Address, accounts: Accounts): boolean {
  if (event.kind === 'deposit') return isSystemAccount(accounts, to) || from === event.sender;
  return isSystemAccount(accounts, from) || to === event.receiver;
}
