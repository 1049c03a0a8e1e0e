import { ZERO_ADDRESS } from '../hex.ts';
import type { EventOf } from '../vault/event.ts';
import type { Ratio } from '../vault/ratio.ts';
import { isSystemAccount, isWallet } from './accounts.ts';
import type { CurrentTransaction } from './currentTransaction.ts';
import { worthAt } from './priced.ts';
import { passShares, type RouterShares } from './routerShares.ts';
import type { Ledger } from './transaction.ts';

/** Creates the function that applies a transfer of shares: transfers show whose shares moved. */
export function createShareTransfers(
  ledger: Ledger,
  current: CurrentTransaction,
  routers: RouterShares,
): (event: EventOf<'transfer'>, price: Ratio | null) => void {
  const { accounts, movements, flows, book } = ledger;
  return transfer;

  function transfer(event: EventOf<'transfer'>, price: Ratio | null): void {
    const { from, to, shares } = event;
    if (from === to || isDepositFee(event)) return;
    if (from === ZERO_ADDRESS) mint(event, price);
    else if (to === ZERO_ADDRESS) burn(event, price);
    else if (accounts.feeHolders?.has(to)) payFee(event);
    else if (isSystemAccount(accounts, from)) leaveCustody(event, price);
    else if (isSystemAccount(accounts, to)) enterCustody(event, price);
    else if (accounts.routers.has(to)) {
      if (!accounts.routers.has(from)) routers.put(from, shares, 0n);
    } else if (accounts.routers.has(from)) {
      const missing = shares - routers.handOver(event, shares, to, price);
      movements.push(event.place, to, 'received', missing, worthAt(price, missing));
    } else passShares(movements, event, event, price);
  }

  /** The deposit already left these shares out. */
  function isDepositFee({ from, to }: EventOf<'transfer'>): boolean {
    if (!accounts.routers.has(from)) return false;
    return (
      (to === ZERO_ADDRESS || accounts.feeHolders?.has(to) === true) &&
      current.depositFee(from) > 0n
    );
  }

  /** Handles shares minted without a deposit: fees or a locked profit, at no cost unless their description sets one. */
  function mint(event: EventOf<'transfer'>, price: Ratio | null): void {
    if (current.isPaired(event)) return;
    const assets = event.worth ? worthAt(price, event.shares) : 0n;
    if (accounts.routers.has(event.to)) routers.put(null, event.shares, assets);
    else if (!isWallet(accounts, event.to)) return;
    // Or shares return from a queue that had burned them, as the contract shows.
    else if (ledger.byBlock) flows.minted(event.to, event.shares);
    else if (current.isCancelled(event)) flows.in(event.to, event.shares, price);
    else movements.push(event.place, event.to, 'received', event.shares, assets);
  }

  function burn(event: EventOf<'transfer'>, price: Ratio | null): void {
    if (current.isPaired(event)) return;
    // Burned in addition to the payment: a fee, unless a bridge mints them again on another chain.
    if (accounts.routers.has(event.from) && current.leaves(event.from)) payFee(event);
    else if (accounts.routers.has(event.from)) {
      for (const { from, shares } of routers.take(event.shares)) {
        if (from !== null) movements.push(event.place, from, 'sent', shares, 0n);
      }
    } else if (!isWallet(accounts, event.from)) return;
    // Some queues burn the shares of a request.
    else if (ledger.byBlock || current.isRequested(event))
      flows.out(event.from, event.shares, price);
    else if (current.leaves(event.from)) payFee(event);
    else movements.push(event.place, event.from, 'sent', event.shares, 0n);
  }

  /** A withdrawal without a payment: the cost of the shares is lost. */
  function payFee({ place, from, shares }: EventOf<'transfer'>): void {
    const payers = accounts.routers.has(from) ? routers.take(shares) : [{ from, shares }];
    for (const payer of payers) {
      if (payer.from !== null && isWallet(accounts, payer.from)) {
        movements.push(place, payer.from, 'exit', payer.shares, 0n);
      }
    }
  }

  function enterCustody({ from, to, shares }: EventOf<'transfer'>, price: Ratio | null): void {
    const givers = accounts.routers.has(from)
      ? routers.take(shares)
      : [{ from, shares, assets: 0n }];
    for (const lot of givers) {
      if (lot.from === null) flows.deposited(lot.shares, lot.assets);
      else {
        flows.out(lot.from, lot.shares, price);
        if (book === null || !accounts.custody.has(to)) continue;
        book.put(lot.from, lot.shares);
        flows.queued(lot.from, lot.shares, price);
      }
    }
  }

  function leaveCustody({ from, to, shares }: EventOf<'transfer'>, price: Ratio | null): void {
    if (isSystemAccount(accounts, to)) return;
    if (accounts.routers.has(to)) routers.put(null, shares, 0n);
    else flows.in(to, shares, price);
    if (book === null || !accounts.custody.has(from)) return;
    for (const part of book.take(to, shares)) flows.queued(part.wallet, -part.shares, price);
  }
}
