import { mulDivDown } from '../amount.ts';
import type { Address } from '../hex.ts';
import type { VaultEvent } from '../vault/event.ts';
import type { Ratio } from '../vault/ratio.ts';
import { createLots, type Lots } from './lots.ts';
import type { MovementList } from './movement.ts';
import { worthAt } from './priced.ts';

/** The shares that routers hold within one transaction: they still belong to the wallets behind them. */
export interface RouterShares extends Lots {
  /** Transfers shares of the lots to `to`, oldest first, and returns how many the lots held. */
  handOver(event: VaultEvent, shares: bigint, to: Address, price: Ratio | null): bigint;
  /** Handles a router that pays itself: the wallets that sent it the shares withdraw, each with a part of the assets. */
  exit(event: VaultEvent, shares: bigint, assets: bigint | null): void;
}

export function createRouterShares(movements: MovementList): RouterShares {
  const lots = createLots();
  return { ...lots, handOver, exit };

  function handOver(event: VaultEvent, shares: bigint, to: Address, price: Ratio | null): bigint {
    let handed = 0n;
    for (const lot of lots.take(shares)) {
      if (lot.from !== null)
        passShares(movements, event, { from: lot.from, to, shares: lot.shares }, price);
      else movements.push(event.place, to, 'deposit', lot.shares, lot.assets);
      handed += lot.shares;
    }
    return handed;
  }

  function exit(event: VaultEvent, shares: bigint, assets: bigint | null): void {
    let [unpaid, left] = [assets, shares];
    for (const lot of lots.take(shares)) {
      const paid = unpaid === null ? null : mulDivDown(unpaid, lot.shares, left);
      if (lot.from !== null) movements.push(event.place, lot.from, 'exit', lot.shares, paid);
      if (unpaid !== null) unpaid -= paid!;
      left -= lot.shares;
    }
  }
}

/** Records shares that one wallet sent to another. */
export function passShares(
  movements: MovementList,
  { place }: VaultEvent,
  { from, to, shares }: { readonly from: Address; readonly to: Address; readonly shares: bigint },
  price: Ratio | null,
): void {
  if (from === to) return;
  movements.push(place, from, 'sent', shares, 0n);
  movements.push(place, to, 'received', shares, worthAt(price, shares));
}
