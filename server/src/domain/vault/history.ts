import { type Address, type Hex, ZERO_ADDRESS } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import { type Accounts, isHouse, isWallet } from '../wallet/accounts.ts';
import type { Pairs } from '../wallet/pairs.ts';
import type { Priced } from '../wallet/transaction.ts';
import type { EventOf, VaultEvent } from './event.ts';
import { worthOf } from './ratio.ts';

export type HistoryType = 'deposit' | 'withdraw' | 'redeem' | 'cancel';

/** What a wallet did, as its history shows it: who got the shares of a deposit, who was paid at an exit. */
export interface HistoryItem {
  readonly place: LogPlace;
  readonly txHash: Hex;
  readonly type: HistoryType;
  readonly wallet: Address;
  /** Null: where the event names shares only, before any share price is known. */
  readonly assets: bigint | null;
  readonly shares: bigint;
  /** Of a queued redemption, where its vault numbers them. */
  readonly requestId?: bigint | undefined;
  /** Where it is not the family's own: a further one over the same share. */
  readonly vault?: Address | undefined;
}

/** The items of one transaction. `byTransfers`: only transfers into custody tell of requests. */
export function historyOf(
  transaction: readonly Priced[],
  pairs: Pairs,
  accounts: Accounts,
  byTransfers: boolean,
): HistoryItem[] {
  return transaction.flatMap(({ event, price }) => {
    if (event.kind === 'transfer' && !byTransfers) return [];
    const { place, txHash, vault } = event;
    const item = (type: HistoryType, wallet: Address, shares: bigint, named: bigint | null) => {
      const assets = named ?? (price === null ? null : worthOf(shares, price));
      return [{ place, txHash, type, wallet, assets, shares, vault }];
    };
    switch (event.kind) {
      case 'deposit':
        return item('deposit', depositorOf(event), event.shares, event.assets);
      case 'withdraw': {
        // A penalty that the vault pays itself is nobody's exit.
        if (accounts.vaults.has(event.receiver)) return [];
        const wallet = isHouse(accounts, event.receiver) ? event.owner : event.receiver;
        return item('withdraw', wallet, event.shares, event.assets);
      }
      case 'redeem-request': {
        const [queued] = item('redeem', event.receiver, event.shares, event.assets);
        return [{ ...queued!, requestId: event.requestId }];
      }
      case 'cancel':
        return item('cancel', returnedTo(event), event.shares, event.assets);
      case 'transfer':
        return queuedByTransfer(event, item);
      default:
        return [];
    }
  });

  /** The event's own word, unless another wallet got the shares. */
  function depositorOf(event: EventOf<'deposit'>): Address {
    const mint = pairs.transferOf(event) ?? fetched(event.shares);
    if (mint === undefined || mint.to === event.owner) return event.owner;
    return isWallet(accounts, mint.to) ? mint.to : event.owner;
  }

  function returnedTo(event: EventOf<'cancel'>): Address {
    return fetched(event.shares)?.to ?? event.receiver;
  }

  /** So many shares that came out of custody to a wallet. */
  function fetched(shares: bigint): EventOf<'transfer'> | undefined {
    for (const { event: one } of transaction) {
      if (one.kind !== 'transfer' || one.shares !== shares) continue;
      if (isHouse(accounts, one.from) && isWallet(accounts, one.to)) return one;
    }
    return undefined;
  }

  function queuedByTransfer(
    { from, to, shares }: EventOf<'transfer'>,
    item: (type: HistoryType, wallet: Address, shares: bigint, assets: null) => HistoryItem[],
  ): HistoryItem[] {
    if (shares === 0n) return [];
    if (accounts.custody.has(to) && isWallet(accounts, from)) {
      return item('redeem', from, shares, null);
    }
    // Handed back only to be redeemed at once: that is an exit, and no cancel.
    const redeems = transaction.some(
      ({ event }) => event.kind === 'transfer' && event.from === to && event.to === ZERO_ADDRESS,
    );
    if (accounts.custody.has(from) && isWallet(accounts, to) && !redeems) {
      return item('cancel', to, shares, null);
    }
    return [];
  }
}

/** Whether what it means depends on the vault's own price at its block. */
export function needsPrice(event: VaultEvent): boolean {
  switch (event.kind) {
    case 'redeem-request':
    case 'cancel':
    case 'deposit':
    case 'withdraw':
      return event.assets === null;
    case 'transfer':
      return event.from !== ZERO_ADDRESS && event.to !== ZERO_ADDRESS && event.shares > 0n;
    default:
      return false;
  }
}
