import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { EventOf } from '../vault/event.ts';
import { type Accounts, isSystemAccount } from './accounts.ts';
import { NO_PAIRS, type Pairs } from './pairs.ts';
import type { Priced } from './priced.ts';

type Transfer = EventOf<'transfer'>;

/** What the events of the transaction that is applied say of each other. */
export interface CurrentTransaction extends Pairs {
  begin(events: readonly Priced[], pairs: Pairs): void;
  /** Whether a redemption request burned these shares. */
  isRequested(burn: Transfer): boolean;
  /** Whether a cancelled request minted these shares. */
  isCancelled(mint: Transfer): boolean;
  /** Whether other shares of the account, or of a router that redeems for it, are paid in this transaction. */
  leaves(account: Address): boolean;
  /** Shares of its only deposit that a router burns, or sends to an account for fees: the others cost the entire payment. */
  depositFee(router: Address): bigint;
  /** Returns the transfer that takes the shares of a settled deposit out of custody. */
  findFetched(deposit: EventOf<'deposit'>): Transfer | undefined;
}

export function createCurrentTransaction(accounts: Accounts): CurrentTransaction {
  let transaction: readonly Priced[] = [];
  let pairs: Pairs = NO_PAIRS;

  return {
    begin(events, nextPairs) {
      transaction = events;
      pairs = nextPairs;
    },
    transferOf: (event) => pairs.transferOf(event),
    isPaired: (transfer) => pairs.isPaired(transfer),
    isRequested,
    isCancelled,
    leaves,
    depositFee,
    findFetched,
  };

  function isRequested({ from, shares }: Transfer): boolean {
    return transaction.some(
      ({ event }) =>
        event.kind === 'redeem-request' && event.owner === from && event.shares === shares,
    );
  }

  function isCancelled({ to, shares }: Transfer): boolean {
    return transaction.some(
      ({ event }) => event.kind === 'cancel' && event.receiver === to && event.shares === shares,
    );
  }

  function leaves(account: Address): boolean {
    return transaction.some(({ event }) => {
      if (event.kind !== 'withdraw') return false;
      const from = pairs.transferOf(event)?.from;
      if (from === undefined) return false;
      return from === account || (accounts.routers.has(from) && event.receiver === account);
    });
  }

  function depositFee(router: Address): bigint {
    let [fee, minted] = [0n, 0n];
    for (const { event } of transaction) {
      if (event.kind !== 'transfer' || event.shares === 0n) continue;
      const { from, to, shares } = event;
      const isPaired = pairs.isPaired(event);
      if (to === router) {
        // With shares of others, or of another deposit, whose fee it is would be unknown.
        if (from !== ZERO_ADDRESS || !isPaired || minted > 0n) return 0n;
        minted = shares;
      } else if (from === router && to === ZERO_ADDRESS && isPaired) return 0n;
      else if (from === router && (to === ZERO_ADDRESS || accounts.feeHolders?.has(to)))
        fee += shares;
    }
    // A deposit that is burned entirely goes over a bridge.
    return fee < minted ? fee : 0n;
  }

  function findFetched({ shares }: EventOf<'deposit'>): Transfer | undefined {
    const fetched = transaction.find(
      ({ event }) =>
        event.kind === 'transfer' &&
        event.shares === shares &&
        isSystemAccount(accounts, event.from),
    )?.event;
    return fetched?.kind === 'transfer' ? fetched : undefined;
  }
}
