import { type Address, type Hex, ZERO_ADDRESS } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import { type Accounts, isSystemAccount, isWallet } from '../wallet/accounts.ts';
import type { Pairs } from '../wallet/pairs.ts';
import type { Priced } from '../wallet/priced.ts';
import type { EventOf, VaultEvent } from './event.ts';
import { worthOf } from './ratio.ts';

export type HistoryType = 'deposit' | 'withdraw' | 'redeem' | 'cancel';

/** An action of a wallet, for its history: the receiver of a deposit's shares, or of a withdrawal's payment. */
export interface HistoryItem {
  readonly place: LogPlace;
  readonly txHash: Hex;
  readonly type: HistoryType;
  readonly wallet: Address;
  /** Null if the event contains only shares and no share price is known yet. */
  readonly assets: bigint | null;
  readonly shares: bigint;
  /** The id of a queued redemption, if its vault numbers them. */
  readonly requestId?: bigint | undefined;
  /** Set for an additional vault over the same share. */
  readonly vault?: Address | undefined;
}

/** One transaction, with what determines the owners of its shares. */
export interface HistoryContext {
  readonly transaction: readonly Priced[];
  readonly pairs: Pairs;
  readonly accounts: Accounts;
  /** Set if requests only appear as transfers into custody. */
  readonly byTransfers: boolean;
}

/** Adds the items of one transaction. */
export function addHistory(items: HistoryItem[], context: HistoryContext): void {
  for (const priced of context.transaction) {
    const item = itemOf(priced, context);
    if (item === undefined) continue;
    const last = items.at(-1);
    // An event may end several requests of a wallet: it is one payment, and one item.
    if (last !== undefined && isSame(last, item)) items[items.length - 1] = together(last, item);
    else items.push(item);
  }
}

function isSame(a: HistoryItem, b: HistoryItem): boolean {
  return (
    a.txHash === b.txHash &&
    a.place.logIndex === b.place.logIndex &&
    a.type === b.type &&
    a.wallet === b.wallet
  );
}

function together(a: HistoryItem, b: HistoryItem): HistoryItem {
  const assets = a.assets === null || b.assets === null ? null : a.assets + b.assets;
  return { ...a, assets, shares: a.shares + b.shares, requestId: undefined };
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
      const wallet = isSystemAccount(accounts, receiver) ? owner : receiver;
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

/** Whether the vault itself was paid, so that the owner of the shares got nothing. */
function penaltyOf(event: EventOf<'withdraw'>, context: HistoryContext): Named | undefined {
  const payer = context.pairs.transferOf(event)?.from;
  if (payer === undefined || !isWallet(context.accounts, payer)) return undefined;
  return { type: 'withdraw', wallet: payer, assets: 0n, shares: event.shares };
}

/** Returns the owner in the event, unless another wallet got the shares. */
function depositorOf(event: EventOf<'deposit'>, context: HistoryContext): Address {
  const mint = context.pairs.transferOf(event) ?? fetched(event.shares, context);
  if (mint === undefined || mint.to === event.owner) return event.owner;
  return isWallet(context.accounts, mint.to) ? mint.to : event.owner;
}

/** Shares transferred from custody to a wallet. */
function fetched(shares: bigint, context: HistoryContext): EventOf<'transfer'> | undefined {
  const { transaction, accounts } = context;
  for (const { event } of transaction) {
    if (event.kind !== 'transfer' || event.shares !== shares) continue;
    if (isSystemAccount(accounts, event.from) && isWallet(accounts, event.to)) return event;
  }
  return undefined;
}

/**
 * Finds the shares returned by a cancellation without an amount. Of several to one wallet, each has its own transfer.
 */
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
    if (!isMint && isSystemAccount(accounts, event.from)) amounts.push(event.shares);
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
  // Returned and redeemed immediately: a withdrawal, not a cancellation.
  const redeems = transaction.some(
    ({ event }) => event.kind === 'transfer' && event.from === to && event.to === ZERO_ADDRESS,
  );
  return redeems ? undefined : { type: 'cancel', wallet: to, assets: null, shares };
}

/** Whether the interpretation depends on the vault's own price at the block. */
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
