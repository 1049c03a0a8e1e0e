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

/** One transaction, and what tells whose its shares are. */
export interface HistoryContext {
  readonly transaction: readonly Priced[];
  readonly pairs: Pairs;
  readonly accounts: Accounts;
  /** Only transfers into custody tell of requests. */
  readonly byTransfers: boolean;
}

/** Adds the items of one transaction. */
export function addHistory(items: HistoryItem[], context: HistoryContext): void {
  for (const priced of context.transaction) {
    const item = itemOf(priced, context);
    if (item !== undefined) items.push(item);
  }
}

function itemOf({ event, price }: Priced, context: HistoryContext): HistoryItem | undefined {
  const named = namedBy(event, context);
  if (named === undefined) return undefined;
  const { type, wallet, shares, requestId } = named;
  const assets = named.assets ?? (price === null ? null : worthOf(shares, price));
  const { place, txHash, vault } = event;
  return { place, txHash, type, wallet, assets, shares, requestId, vault };
}

type Named = Pick<HistoryItem, 'type' | 'wallet' | 'assets' | 'shares' | 'requestId'>;

function namedBy(event: VaultEvent, context: HistoryContext): Named | undefined {
  const { accounts } = context;
  switch (event.kind) {
    case 'deposit': {
      const { assets, shares } = event;
      return { type: 'deposit', wallet: depositorOf(event, context), assets, shares };
    }
    case 'withdraw': {
      const { receiver, owner, assets, shares } = event;
      if (accounts.vaults.has(receiver)) return penaltyOf(event, context);
      const wallet = isHouse(accounts, receiver) ? owner : receiver;
      return { type: 'withdraw', wallet, assets, shares };
    }
    case 'redeem-request': {
      const { receiver, assets, shares, requestId } = event;
      return { type: 'redeem', wallet: receiver, assets, shares, requestId };
    }
    case 'cancel': {
      const { receiver, assets } = event;
      const shares = event.shares ?? returned(event, context);
      if (shares === null) return undefined;
      const wallet = fetched(shares, context)?.to ?? receiver;
      return { type: 'cancel', wallet, assets, shares };
    }
    case 'transfer':
      return context.byTransfers ? queuedByTransfer(event, context) : undefined;
    default:
      return undefined;
  }
}

/** Paid to the vault itself: who gave up the shares got nothing for them. */
function penaltyOf(event: EventOf<'withdraw'>, context: HistoryContext): Named | undefined {
  const payer = context.pairs.transferOf(event)?.from;
  if (payer === undefined || !isWallet(context.accounts, payer)) return undefined;
  return { type: 'withdraw', wallet: payer, assets: 0n, shares: event.shares };
}

/** The event's own word, unless another wallet got the shares. */
function depositorOf(event: EventOf<'deposit'>, context: HistoryContext): Address {
  const mint = context.pairs.transferOf(event) ?? fetched(event.shares, context);
  if (mint === undefined || mint.to === event.owner) return event.owner;
  return isWallet(context.accounts, mint.to) ? mint.to : event.owner;
}

/** So many shares that came out of custody to a wallet. */
function fetched(shares: bigint, context: HistoryContext): EventOf<'transfer'> | undefined {
  const { transaction, accounts } = context;
  for (const { event } of transaction) {
    if (event.kind !== 'transfer' || event.shares !== shares) continue;
    if (isHouse(accounts, event.from) && isWallet(accounts, event.to)) return event;
  }
  return undefined;
}

/** Shares that came out of custody for a cancel without an amount: of several to one wallet each has its own. */
function returned(cancel: EventOf<'cancel'>, context: HistoryContext): bigint | null {
  const { transaction, accounts } = context;
  const { receiver } = cancel;
  const amounts: bigint[] = [];
  let before = 0;
  for (const { event } of transaction) {
    if (event.kind === 'cancel' && event.receiver === receiver && isEarlier(event, cancel))
      before++;
    if (event.kind !== 'transfer' || event.to !== receiver) continue;
    const isMint = event.from === ZERO_ADDRESS;
    if (!isMint && isHouse(accounts, event.from)) amounts.push(event.shares);
  }
  return amounts[before] ?? null;
}

function isEarlier(a: VaultEvent, b: VaultEvent): boolean {
  return a.place.logIndex < b.place.logIndex;
}

function queuedByTransfer(
  { from, to, shares }: EventOf<'transfer'>,
  { transaction, accounts }: HistoryContext,
): Named | undefined {
  if (shares === 0n) return undefined;
  if (accounts.custody.has(to) && isWallet(accounts, from)) {
    return { type: 'redeem', wallet: from, assets: null, shares };
  }
  if (!accounts.custody.has(from) || !isWallet(accounts, to)) return undefined;
  // Handed back only to be redeemed at once: that is an exit, and no cancel.
  const redeems = transaction.some(
    ({ event }) => event.kind === 'transfer' && event.from === to && event.to === ZERO_ADDRESS,
  );
  return redeems ? undefined : { type: 'cancel', wallet: to, assets: null, shares };
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
      if (event.bought || event.worth) return true;
      return event.from !== ZERO_ADDRESS && event.to !== ZERO_ADDRESS && event.shares > 0n;
    case 'flow':
      return event.assets === null || (event.action !== 'deposit' && event.action !== 'exit');
    default:
      return false;
  }
}
