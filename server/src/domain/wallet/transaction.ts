import type { Address } from '../hex.ts';
import type { VaultEvent } from '../vault/event.ts';
import type { Ratio } from '../vault/ratio.ts';
import { type Accounts, isWallet } from './accounts.ts';
import { createCurrentTransaction } from './currentTransaction.ts';
import type { CustodyFlows } from './custodyFlows.ts';
import type { MovementList } from './movement.ts';
import { createPaidEvents } from './paidEvents.ts';
import type { Pairs } from './pairs.ts';
import type { Priced } from './priced.ts';
import { createRouterShares } from './routerShares.ts';
import { createShareTransfers } from './shareTransfers.ts';
import type { TransferBook } from './transferBook.ts';

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
  const { accounts, movements, flows } = ledger;
  const current = createCurrentTransaction(accounts);
  const routers = createRouterShares(movements);
  const paid = createPaidEvents(ledger, current, routers);
  const transfer = createShareTransfers(ledger, current, routers);

  return (transaction, pairs) => {
    current.begin(transaction, pairs);
    routers.clear();
    for (const { event, price } of transaction) {
      play(event, price);
      if (!ledger.byBlock) flows.settleIfEven(event.place);
    }
  };

  function play(event: VaultEvent, price: Ratio | null): void {
    switch (event.kind) {
      case 'deposit':
        paid.deposit(event, price);
        break;
      case 'withdraw':
        paid.withdraw(event, price);
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
}
