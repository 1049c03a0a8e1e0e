import type { Address } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import type { Accounts } from '../wallet/accounts.ts';
import { createCustodyFlows } from '../wallet/custodyFlows.ts';
import { createMovementList, type Movement } from '../wallet/movement.ts';
import { pairTransfers } from '../wallet/pairs.ts';
import { createPlayer, type Priced } from '../wallet/transaction.ts';
import type { TransferBook } from '../wallet/transferBook.ts';
import { findCustody } from './custody.ts';
import type { EventOf, PoolDeclaration, VaultEvent } from './event.ts';
import { readFlows } from './flows.ts';
import type { FlowTrust } from './flowTrust.ts';
import { addHistory, type HistoryItem } from './history.ts';
import { assetsQueued, NOTHING_QUEUED, sameQueue, type WalletQueue } from './queue.ts';
import { type Ratio, ratioOfPrice } from './ratio.ts';
import type { RedeemRequest, RequestBook } from './requestBook.ts';

export interface Interpretation {
  readonly history: HistoryItem[];
  readonly movements: readonly Movement[];
  readonly sharePrices: { readonly place: LogPlace; readonly price: bigint }[];
  readonly pools: { readonly place: LogPlace; readonly pool: PoolDeclaration }[];
  /** Accounts that these events show to hold shares for others. */
  readonly custody: { readonly place: LogPlace; readonly account: Address }[];
  readonly queues: QueueRow[];
  /** Requests that events name by their numbers, as they are from a block on. */
  readonly requests: { readonly place: LogPlace; readonly request: RedeemRequest }[];
  readonly depositRequests: EventOf<'deposit-request'>[];
  /** The share price in force after the last event. */
  readonly lastPrice: Ratio | null;
}

/** What a wallet has queued from a block on. */
export interface QueueRow {
  readonly wallet: Address;
  readonly place: LogPlace;
  readonly queue: WalletQueue;
}

export interface InterpretContext {
  readonly accounts: Accounts;
  readonly shareDecimals: number;
  /** The last one known before these events. */
  readonly lastPrice: Ratio | null;
  /** What the vault itself converted shares to at the end of a block; undefined where nobody asked, or it publishes prices. */
  priceAt(block: number): Ratio | null | undefined;
  /**
   * The same before a block that brings requests and nothing else: a vault that fixes what it will pay sets it aside, and
   * converts the shares to less from then on.
   */
  priceBefore?(block: number): Ratio | null | undefined;
  readonly queue: QueueContext;
}

/** Where it is told whose shares in custody are. */
export type QueueContext =
  | { readonly by: 'events' }
  | { readonly by: 'transfers'; readonly book: TransferBook }
  | { readonly by: 'requests'; readonly requests: RequestBook; readonly trust?: FlowTrust }
  | {
      readonly by: 'calls';
      /** As last known; kept up to date here. */
      readonly held: Map<Address, WalletQueue>;
      /** The contract's word at the end of a block, on whom it was asked about. */
      at(block: number): ReadonlyMap<Address, WalletQueue> | undefined;
    };

/** What a family's events on one chain mean, in log order. */
export function interpret(
  events: readonly VaultEvent[],
  context: InterpretContext,
): Interpretation {
  const { accounts, queue } = context;
  const movements = createMovementList();
  const flows = createCustodyFlows(movements);
  const found: Omit<Interpretation, 'lastPrice' | 'movements'> = {
    history: [],
    sharePrices: [],
    pools: [],
    custody: [],
    queues: [],
    requests: [],
    depositRequests: [],
  };
  const book = queue.by === 'transfers' ? queue.book : null;
  const byBlock = queue.by === 'calls';
  const paidTo = byBlock || queue.by === 'requests' ? 'owner' : 'receiver';
  const play = createPlayer({ accounts, movements, flows, book, paidTo, byBlock, hasClaimed });
  let lastPrice = context.lastPrice;
  let after: ReadonlyMap<Address, WalletQueue> | undefined;
  let requested: ReadonlyMap<Address, bigint> = new Map();

  for (const block of groupBy(events, ({ place }) => place.blockNumber)) readBlock(block);
  return { ...found, movements: movements.all, lastPrice };

  function readBlock(block: readonly VaultEvent[]): void {
    const { place } = block.at(-1)!;
    after = queue.by === 'calls' ? queue.at(place.blockNumber) : undefined;
    requested = after === undefined ? requested : requestedIn(block);
    const asked = context.priceAt(place.blockNumber);
    for (const account of findCustody(block, accounts, after, before)) {
      accounts.custody.add(account);
      found.custody.push({ place, account });
    }
    const worth = context.priceBefore?.(place.blockNumber) ?? asked;
    for (const transaction of groupBy(block, ({ txHash }) => txHash)) {
      readTransaction(described(transaction, worth ?? lastPrice), worth);
    }
    if (queue.by === 'requests') keepRequests(queue.requests, place);
    for (const [wallet, pendingRedeem] of book?.changes() ?? []) {
      found.queues.push({ wallet, place, queue: { ...NOTHING_QUEUED, pendingRedeem } });
    }
    if (queue.by === 'calls') {
      const isOnly = block.every(({ txHash }) => txHash === block[0]!.txHash);
      movements.setTransaction(isOnly ? block[0]!.txHash : null);
      const price = worth ?? lastPrice;
      const told = flows.settle(place, after && { before, after, price });
      for (const [wallet, more] of told)
        hold(queue.held, wallet, place, moved(before(wallet), more));
      for (const [wallet, now] of after ?? []) hold(queue.held, wallet, place, now);
    }
    if (asked) lastPrice = asked;
  }

  function readTransaction(events: readonly VaultEvent[], asked: Ratio | null | undefined): void {
    const last = events.at(-1);
    // What is settled or moved alone is known to the requests, and nobody's shares move.
    if (last === undefined) return;
    movements.setTransaction(last.txHash);
    const transaction: Priced[] = [];
    for (const event of events) {
      transaction.push({ event, price: asked ?? lastPrice });
      takeDown(event);
    }
    const pairs = pairTransfers(events);
    play(transaction, pairs);
    addHistory(found.history, { transaction, pairs, accounts, byTransfers: book !== null });
    if (queue.by !== 'calls') flows.settle(last.place);
  }

  /** What the described events of a transaction mean. */
  function described(events: readonly VaultEvent[], price: Ratio | null): readonly VaultEvent[] {
    if (queue.by !== 'requests') return events;
    return readFlows(events, { book: queue.requests, trust: queue.trust, accounts, price });
  }

  function keepRequests(book: RequestBook, place: LogPlace): void {
    const { requests, queues } = book.changes();
    for (const request of requests) found.requests.push({ place, request });
    for (const [wallet, queue] of queues) found.queues.push({ wallet, place, queue });
  }

  function before(wallet: Address): WalletQueue {
    return (queue.by === 'calls' ? queue.held.get(wallet) : undefined) ?? NOTHING_QUEUED;
  }

  function hasClaimed(wallet: Address, assets: bigint | null): boolean {
    const now = after?.get(wallet);
    if (now === undefined) return false;
    const was = before(wallet);
    if (now.depositShares < was.depositShares) return true;
    // What time or the same block settled was never seen to be claimable: it waited, and is gone.
    const [waited, waits] = [assetsQueued(was), assetsQueued(now)];
    if (assets === null || assets === 0n || waited === null || waits === null) return false;
    return waited + (requested.get(wallet) ?? 0n) - waits >= assets;
  }

  function hold(
    held: Map<Address, WalletQueue>,
    wallet: Address,
    place: LogPlace,
    now: WalletQueue,
  ): void {
    const before = held.get(wallet) ?? NOTHING_QUEUED;
    held.set(wallet, now);
    if (!sameQueue(before, now)) found.queues.push({ wallet, place, queue: now });
  }

  function takeDown(event: VaultEvent): void {
    const { place } = event;
    if (event.kind === 'pool') found.pools.push({ place, pool: event });
    if (event.kind === 'deposit-request') found.depositRequests.push(event);
    if (event.kind !== 'share-price') return;
    lastPrice = ratioOfPrice(event.price, context.shareDecimals);
    found.sharePrices.push({ place, price: event.price });
  }
}

/** Assets of the family's own vault that wallets handed over in a block, to become shares later. */
function requestedIn(block: readonly VaultEvent[]): Map<Address, bigint> {
  const found = new Map<Address, bigint>();
  for (const event of block) {
    if (event.kind !== 'deposit-request' || event.vault !== undefined) continue;
    found.set(event.controller, (found.get(event.controller) ?? 0n) + event.assets);
  }
  return found;
}

/** A queue as events alone say: what is paid was claimable before it was pending. */
function moved(queue: WalletQueue, more: bigint): WalletQueue {
  if (more >= 0n) return { ...queue, pendingRedeem: queue.pendingRedeem + more };
  const less = -more;
  const claimed = less < queue.claimableRedeem ? less : queue.claimableRedeem;
  const rest = less - claimed;
  return {
    ...queue,
    claimableRedeem: queue.claimableRedeem - claimed,
    pendingRedeem: rest < queue.pendingRedeem ? queue.pendingRedeem - rest : 0n,
  };
}

/** Consecutive items with the same key. */
function groupBy<T>(items: readonly T[], key: (item: T) => unknown): (readonly T[])[] {
  const groups: T[][] = [];
  let last: T[] = [];
  let lastKey: unknown;
  for (const item of items) {
    const its = key(item);
    if (last.length === 0 || its !== lastKey) {
      last = [];
      lastKey = its;
      groups.push(last);
    }
    last.push(item);
  }
  return groups;
}
