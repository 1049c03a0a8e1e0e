import { mulDivDown } from '../amount.ts';
import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { EventOf, VaultEvent } from '../vault/event.ts';
import { type Ratio, worthOf } from '../vault/ratio.ts';
import { type Accounts, isHouse, isWallet } from './accounts.ts';
import type { CustodyFlows } from './custodyFlows.ts';
import { createLots } from './lots.ts';
import type { MovementList } from './movement.ts';
import { NO_PAIRS, type Pairs } from './pairs.ts';
import type { TransferBook } from './transferBook.ts';

/** An event with the share price in force before it. */
export type Priced = { readonly event: VaultEvent; readonly price: Ratio | null };

export interface Ledger {
  readonly accounts: Accounts;
  readonly movements: MovementList;
  readonly flows: CustodyFlows;
  /** Set if only transfers show who owns the shares in custody. */
  readonly book: TransferBook | null;
  /** Whether the contract counts less of a wallet's queued deposit than before, because of a claim of these assets. */
  hasClaimed(controller: Address, assets: bigint | null): boolean;
  /** Whose redemption a payment from custody is: the receiver's, or in ERC-7540 the controller's. */
  readonly paidTo: 'receiver' | 'owner';
  /** Whether custody is settled by reading the contract, once per block, so that nothing is settled earlier. */
  readonly byBlock: boolean;
}

/** Applies the events of one transaction. */
export type Player = (transaction: readonly Priced[], pairs: Pairs) => void;

/**
 * Applies transactions, each with its events in log order. Transfers show whose shares moved; deposits and withdrawals
 * only add the payment. Shares that pass through a router or are pending in custody still belong to a wallet: transfers
 * of a router count for the wallets behind it, and transfers into and out of custody are settled against the queue.
 */
export function createPlayer(ledger: Ledger): Player {
  const { accounts, movements, flows, book } = ledger;
  const lots = createLots();
  let transaction: readonly Priced[] = [];
  let pairs: Pairs = NO_PAIRS;

  return (next, nextPairs) => {
    transaction = next;
    pairs = nextPairs;
    lots.clear();
    for (const { event, price } of transaction) {
      play(event, price);
      if (!ledger.byBlock) flows.settleIfEven(event.place);
    }
  };

  function play(event: VaultEvent, price: Ratio | null): void {
    switch (event.kind) {
      case 'deposit':
        deposit(event, price);
        break;
      case 'withdraw':
        withdraw(event, price);
        break;
      case 'redeem-request':
        queued(event.receiver, event.shares, price);
        break;
      case 'cancel':
        // Without an amount, the controller read from the contract is all that is known.
        if (event.shares !== null) queued(event.receiver, -event.shares, price);
        break;
      case 'deposit-request':
        if (event.vault === undefined && isWallet(accounts, event.controller)) {
          flows.requested(event.controller, event.assets, price);
        }
        break;
      case 'transfer':
        transfer(event, price);
        break;
    }
  }

  /** A router in the queue acts for an unknown wallet. */
  function queued(wallet: Address, shares: bigint, price: Ratio | null): void {
    if (isWallet(accounts, wallet)) flows.queued(wallet, shares, price);
  }

  function deposit(event: EventOf<'deposit'>, price: Ratio | null): void {
    const mint = pairs.transferOf(event);
    const assets = event.assets ?? worth(event.shares, price);
    const controller = claimant(event);
    if (controller !== undefined) {
      flows.claimed(controller, event.shares, assets, price);
      if (mint !== undefined && isWallet(accounts, mint.to)) flows.in(mint.to, mint.shares, price);
    } else if (mint === undefined) return;
    else if (accounts.routers.has(mint.to)) lots.put(null, mint.shares, assets);
    else if (isWallet(accounts, mint.to)) {
      movements.push(event.place, mint.to, 'deposit', mint.shares, assets);
    }
  }

  /** Returns the wallet that claimed a settled deposit. Vaults put receiver and controller in different fields. */
  function claimant(event: EventOf<'deposit'>): Address | undefined {
    const named = [event.sender, event.owner].filter((one) => isWallet(accounts, one));
    const known = named.find((one) => ledger.hasClaimed(one, event.assets));
    if (known !== undefined || pairs.transferOf(event) !== undefined) return known;
    const fetched = transaction.find(
      ({ event: one }) =>
        one.kind === 'transfer' && one.shares === event.shares && isHouse(accounts, one.from),
    )?.event;
    if (fetched?.kind !== 'transfer') return undefined;
    const controller = event.owner === fetched.to ? event.sender : event.owner;
    return isWallet(accounts, controller) ? controller : undefined;
  }

  function withdraw(event: EventOf<'withdraw'>, price: Ratio | null): void {
    const { place, receiver, owner, shares } = event;
    const burn = pairs.transferOf(event);
    const assets = event.assets ?? worth(shares, price);
    if (burn !== undefined && isWallet(accounts, burn.from)) {
      // Paid to the vault itself: a penalty without a receiver.
      const isPenalty = accounts.vaults.has(receiver);
      movements.push(place, burn.from, 'exit', burn.shares, isPenalty ? 0n : assets);
    } else if (burn !== undefined && accounts.routers.has(burn.from)) {
      if (isWallet(accounts, receiver)) {
        handOver(event, burn.shares, receiver, price);
        movements.push(place, receiver, 'exit', burn.shares, assets);
      } else exitLots(event, burn.shares, assets);
    } else if (book !== null) payFromBook(receiver, shares, assets, price);
    else {
      const preferred = ledger.paidTo === 'owner' ? [owner, receiver] : [receiver];
      const wallet = preferred.find((one) => isWallet(accounts, one));
      if (wallet === undefined) return;
      flows.queued(wallet, -shares, price);
      flows.paid(wallet, shares, assets, price);
    }
  }

  function payFromBook(receiver: Address, shares: bigint, assets: bigint, price: Ratio | null) {
    let [unpaid, left] = [assets, shares];
    for (const part of book!.take(receiver, shares)) {
      const paid = mulDivDown(unpaid, part.shares, left);
      flows.queued(part.wallet, -part.shares, price);
      flows.paid(part.wallet, part.shares, paid, price);
      unpaid -= paid;
      left -= part.shares;
    }
  }

  /**
   * Handles a router that pays itself: the wallets that sent it the shares withdraw, each with a part of the assets.
   */
  function exitLots(event: VaultEvent, shares: bigint, assets: bigint): void {
    let [unpaid, left] = [assets, shares];
    for (const lot of lots.take(shares)) {
      const paid = mulDivDown(unpaid, lot.shares, left);
      if (lot.from !== null) movements.push(event.place, lot.from, 'exit', lot.shares, paid);
      unpaid -= paid;
      left -= lot.shares;
    }
  }

  function transfer(event: EventOf<'transfer'>, price: Ratio | null): void {
    const { from, to, shares } = event;
    if (from === to) return;
    if (from === ZERO_ADDRESS) mint(event, price);
    else if (to === ZERO_ADDRESS) burn(event, price);
    else if (accounts.feeHolders?.has(to)) payFee(event);
    else if (isHouse(accounts, from)) leaveCustody(event, price);
    else if (isHouse(accounts, to)) enterCustody(event, price);
    else if (accounts.routers.has(to)) {
      if (!accounts.routers.has(from)) lots.put(from, shares, 0n);
    } else if (accounts.routers.has(from)) {
      const missing = shares - handOver(event, shares, to, price);
      movements.push(event.place, to, 'received', missing, worth(missing, price));
    } else pass(event, from, to, shares, price);
  }

  /** Handles shares minted without a deposit: fees or a locked profit, at no cost unless their description sets one. */
  function mint(event: EventOf<'transfer'>, price: Ratio | null): void {
    if (pairs.isPaired(event)) return;
    const assets = event.worth ? worth(event.shares, price) : 0n;
    if (accounts.routers.has(event.to)) lots.put(null, event.shares, assets);
    else if (!isWallet(accounts, event.to)) return;
    // Or shares return from a queue that had burned them, as the contract shows.
    else if (ledger.byBlock) flows.minted(event.to, event.shares);
    else if (isCancelled(event)) flows.in(event.to, event.shares, price);
    else movements.push(event.place, event.to, 'received', event.shares, assets);
  }

  function burn(event: EventOf<'transfer'>, price: Ratio | null): void {
    if (pairs.isPaired(event)) return;
    // Burned in addition to the payment: a fee, unless a bridge mints them again on another chain.
    if (accounts.routers.has(event.from) && leaves(event.from)) payFee(event);
    else if (accounts.routers.has(event.from)) {
      for (const { from, shares } of lots.take(event.shares)) {
        if (from !== null) movements.push(event.place, from, 'sent', shares, 0n);
      }
    } else if (!isWallet(accounts, event.from)) return;
    // Some queues burn the shares of a request.
    else if (ledger.byBlock || isRequested(event)) flows.out(event.from, event.shares, price);
    else if (leaves(event.from)) payFee(event);
    else movements.push(event.place, event.from, 'sent', event.shares, 0n);
  }

  function isRequested({ from, shares }: EventOf<'transfer'>): boolean {
    return transaction.some(
      ({ event }) =>
        event.kind === 'redeem-request' && event.owner === from && event.shares === shares,
    );
  }

  function isCancelled({ to, shares }: EventOf<'transfer'>): boolean {
    return transaction.some(
      ({ event }) => event.kind === 'cancel' && event.receiver === to && event.shares === shares,
    );
  }

  /** Whether other shares of the account, or of a router that redeems for it, are paid in this transaction. */
  function leaves(account: Address): boolean {
    return transaction.some(({ event }) => {
      if (event.kind !== 'withdraw') return false;
      const from = pairs.transferOf(event)?.from;
      if (from === undefined) return false;
      return from === account || (accounts.routers.has(from) && event.receiver === account);
    });
  }

  /** A withdrawal without a payment: the cost of the shares is lost. */
  function payFee({ place, from, shares }: EventOf<'transfer'>): void {
    const payers = accounts.routers.has(from) ? lots.take(shares) : [{ from, shares }];
    for (const payer of payers) {
      if (payer.from !== null && isWallet(accounts, payer.from)) {
        movements.push(place, payer.from, 'exit', payer.shares, 0n);
      }
    }
  }

  function enterCustody({ from, to, shares }: EventOf<'transfer'>, price: Ratio | null): void {
    const givers = accounts.routers.has(from) ? lots.take(shares) : [{ from, shares, assets: 0n }];
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
    if (isHouse(accounts, to)) return;
    if (accounts.routers.has(to)) lots.put(null, shares, 0n);
    else flows.in(to, shares, price);
    if (book === null || !accounts.custody.has(from)) return;
    for (const part of book.take(to, shares)) flows.queued(part.wallet, -part.shares, price);
  }

  /** Transfers shares of a router's lots to `to`, oldest first, and returns how many the lots held. */
  function handOver(event: VaultEvent, shares: bigint, to: Address, price: Ratio | null): bigint {
    let handed = 0n;
    for (const lot of lots.take(shares)) {
      if (lot.from !== null) pass(event, lot.from, to, lot.shares, price);
      else movements.push(event.place, to, 'deposit', lot.shares, lot.assets);
      handed += lot.shares;
    }
    return handed;
  }

  function pass(
    event: VaultEvent,
    from: Address,
    to: Address,
    shares: bigint,
    price: Ratio | null,
  ) {
    if (from === to) return;
    movements.push(event.place, from, 'sent', shares, 0n);
    movements.push(event.place, to, 'received', shares, worth(shares, price));
  }
}

function worth(shares: bigint, price: Ratio | null): bigint {
  return price === null ? 0n : worthOf(shares, price);
}
