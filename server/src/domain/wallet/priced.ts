import type { VaultEvent } from '../vault/event.ts';
import { type Ratio, worthOf } from '../vault/ratio.ts';

/** An event with the share price in force before it. */
export type Priced = { readonly event: VaultEvent; readonly price: Ratio | null };

/** Returns what shares are worth at a price; null while there is none. No shares are worth nothing at any price. */
export function worthAt(price: Ratio | null, shares: bigint): bigint | null {
  if (shares === 0n) return 0n;
  return price === null ? null : worthOf(shares, price);
}
