import { mulDivDown } from '../amount.ts';
import type { Address } from '../hex.ts';
import type { EventOf } from '../vault/event.ts';
import type { Ratio } from '../vault/ratio.ts';
import { isWallet } from './accounts.ts';
import type { CurrentTransaction } from './currentTransaction.ts';
import { worthAt } from './priced.ts';
import type { RouterShares } from './routerShares.ts';
import type { Ledger } from './transaction.ts';

/** Deposits and withdrawals: they only add the payment to the shares that transfers move. */
export interface PaidEvents {
  deposit(event: EventOf<'deposit'>, price: Ratio | null): void;
  withdraw(event: EventOf<'withdraw'>, price: Ratio | null): void;
}

export function createPaidEvents(
  ledger: Ledger,
  current: CurrentTransaction,
  routers: RouterShares,
): PaidEvents {
  const { accounts, movements, flows, book } = ledger;
  return { deposit, withdraw };

  function deposit(event: EventOf<'deposit'>, price: Ratio | null): void {
    const mint = current.transferOf(event);
    const assets = event.assets ?? worthAt(price, event.shares);
    const controller = claimant(event);
    if (controller !== undefined) {
      flows.claimed(controller, event.shares, assets, price);
      if (mint !== undefined && isWallet(accounts, mint.to)) flows.in(mint.to, mint.shares, price);
    } else if (mint === undefined) return;
    else if (accounts.routers.has(mint.to)) {
      routers.put(null, mint.shares - current.depositFee(mint.to), assets);
    } else if (isWallet(accounts, mint.to)) {
      movements.push(event.place, mint.to, 'deposit', mint.shares, assets);
    }
  }

  /** Returns the wallet that claimed a settled deposit. Vaults put receiver and controller in different fields. */
  function claimant(event: EventOf<'deposit'>): Address | undefined {
    const named = [event.sender, event.owner].filter((one) => isWallet(accounts, one));
    const known = named.find((one) => ledger.hasClaimed(one, event.assets));
    if (known !== undefined || current.transferOf(event) !== undefined) return known;
    const fetched = current.findFetched(event);
    if (fetched === undefined) return undefined;
    const controller = event.owner === fetched.to ? event.sender : event.owner;
    return isWallet(accounts, controller) ? controller : undefined;
  }

  function withdraw(event: EventOf<'withdraw'>, price: Ratio | null): void {
    const { place, receiver, owner, shares } = event;
    const burn = current.transferOf(event);
    const assets = event.assets ?? worthAt(price, shares);
    if (burn !== undefined && isWallet(accounts, burn.from)) {
      // Paid to the vault itself: a penalty without a receiver.
      const isPenalty = accounts.vaults.has(receiver);
      movements.push(place, burn.from, 'exit', burn.shares, isPenalty ? 0n : assets);
    } else if (burn !== undefined && accounts.routers.has(burn.from)) {
      if (isWallet(accounts, receiver)) {
        routers.handOver(event, burn.shares, receiver, price);
        movements.push(place, receiver, 'exit', burn.shares, assets);
      } else routers.exit(event, burn.shares, assets);
    } else if (book !== null) payFromBook(receiver, shares, assets, price);
    else {
      const preferred = ledger.paidTo === 'owner' ? [owner, receiver] : [receiver];
      const wallet = preferred.find((one) => isWallet(accounts, one));
      if (wallet === undefined) return;
      flows.queued(wallet, -shares, price);
      flows.paid(wallet, shares, assets, price);
    }
  }

  function payFromBook(
    receiver: Address,
    shares: bigint,
    assets: bigint | null,
    price: Ratio | null,
  ) {
    let [unpaid, left] = [assets, shares];
    for (const part of book!.take(receiver, shares)) {
      const paid = unpaid === null ? null : mulDivDown(unpaid, part.shares, left);
      flows.queued(part.wallet, -part.shares, price);
      flows.paid(part.wallet, part.shares, paid, price);
      if (unpaid !== null) unpaid -= paid!;
      left -= part.shares;
    }
  }
}
