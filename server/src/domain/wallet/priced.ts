import type { VaultEvent } from '../vault/event.ts';
import { type Ratio, worthOf } from '../vault/ratio.ts';

/** An event with the share price in force before it. */
export type Priced = { readonly event: VaultEvent; readonly price: Ratio | null };

/** Returns what shares are worth at a price; 0 while there is none. */
export function worthAt(price: Ratio | null, shares: bigint): bigint {
  return price === null ? 0n : worthOf(shares, price);
}
